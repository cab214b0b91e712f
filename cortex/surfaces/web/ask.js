// Asking: a conversation in which every statement is quoted and cited, or plainly refused.

import { call } from './api.js';
import { amount, day, el, failure, fill, head, named, prose, say, waiting, weight } from './dom.js';
import { quoted } from './quoting.js';
import { open } from './reader.js';

const talk = el('div.talk', { role: 'log', 'aria-label': 'Conversation' });
const SHOWN = 3; // statements shown at once
let topic = ''; // what the last answer cited first

export async function ask(main, search, signal) {
  document.title = 'Ask · Cortex';
  const field = el('textarea', {
    rows: 1, 'aria-label': 'Your question', placeholder: 'Ask a question', maxlength: 4000,
    onkeydown: (event) => {
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        submit();
      }
    },
  });
  const button = el('button.main', { type: 'submit' }, 'Ask');
  const submit = () => {
    const question = field.value.trim();
    if (!question) return;
    field.value = '';
    welcome.hidden = true;
    put(question);
  };
  const form = el('form', { onsubmit: (event) => { event.preventDefault(); submit(); } }, field, button);
  const welcome = el('div', { hidden: talk.childElementCount > 0 },
    head('Ask this project', 'Each statement is quoted from a row of the project and cited. Where the rows do not answer, you are told so, and nothing is made up.'));
  document.title = 'Ask · Cortex';
  fill(main, welcome, talk, el('div.composer', {}, form));
  field.focus({ preventScroll: true });
  if (search.get('q')) {
    field.value = search.get('q');
    history.replaceState(null, '', '#/ask'); // coming back to it asks nothing again
    submit();
  } else if (!talk.childElementCount) await welcomed(welcome, signal);
}

// The greeting, or why there is none; the question can be asked all the same.
async function welcomed(welcome, signal) {
  try {
    await greet(welcome, signal);
  } catch (error) {
    if (error.name === 'AbortError') return;
    const told = failure(error, () => { told.remove(); welcomed(welcome, signal); });
    welcome.append(told);
  }
}

async function greet(welcome, signal) {
  const { sources } = await call('sources', {}, { signal });
  if (!sources.some((one) => one.records)) {
    welcome.append(el('div.notice', {}, el('strong', {}, 'There is nothing to ask yet.'), el('p.faint', {}, 'Index a project first: cortex index PATH')));
    return;
  }
  const records = sources.reduce((sum, one) => sum + one.records, 0);
  const facts = sources.reduce((sum, one) => sum + one.facts, 0);
  const names = sources.map((one) => one.name);
  const shown = listed(names.length > 3 ? [...names.slice(0, 3), `${names.length - 3} more`] : names);
  welcome.append(el('p.faint', {}, `${amount(records, 'record')} and ${amount(facts, 'fact')} of ${shown}.`));
  const { decisions } = await call('decisions', { limit: 3 }, { signal });
  if (!decisions.length) return;
  welcome.append(el('div.starters', {}, el('h3.faint', {}, 'Decided lately'),
    el('div.rows', {}, decisions.map((one) => row(one.handle, one.statement, one.source, [one.unverified && el('span.tag.off', {}, 'unverified'), el('span', {}, named(one.ref)), day(one.since)])))));
}

function listed(names) {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

async function put(question, after = topic) {
  const said = el('div.stack', { 'aria-live': 'polite' });
  const more = el('div.stack', { hidden: true });
  const wait = waiting('Looking');
  const turn = el('article.turn', { 'aria-label': question }, el('h2', {}, question), said, wait);
  talk.append(turn);
  turn.scrollIntoView({ block: 'start' });
  const pending = [];
  try {
    const answer = await call('ask', { question, after });
    wait.remove();
    for (const one of answer.statements) pending.push(statement(one, pending.length < SHOWN ? said : more));
    if (answer.question !== question) said.before(el('p.faint', {}, `Asked: ${answer.question}`));
    if (answer.citations.length && (!topic || answer.question === question)) topic = answer.citations[0].handle;
    if (answer.refused) refusal(said, answer);
    else {
      if (more.childElementCount) said.append(unfold(more), more);
      cite(pending, answer, turn);
    }
    turn.scrollIntoView({ block: 'start' }); // there was no room for it before
    say(answer.refused ? answer.answer : `Answered with ${amount(answer.citations.length, 'citation')}`);
  } catch (error) {
    wait.remove();
    said.append(failure(error, () => { turn.remove(); put(question, after); }));
  }
}

function unfold(more) {
  const button = el('button.quiet', { type: 'button', onclick: () => { more.hidden = false; button.remove(); } }, `Show ${more.childElementCount} more`);
  return button;
}

// One statement; its citations follow once all are there.
function statement({ text, quote, attribution, citations }, said) {
  const made = el('figure.statement', {}, text && el('p.plain', {}, prose(text)),
    quote && [el('blockquote', {}, quoted(quote)), el('figcaption.from', {}, attribution)]);
  said.append(made);
  return [made, citations, quote];
}

function cite(pending, answer, turn) {
  const cited = new Map(answer.citations.map((one) => [one.handle, one]));
  const order = new Set(pending.flatMap(([, handles]) => handles).filter((handle) => cited.has(handle)));
  const known = new Map([...order].map((handle, place) => [handle, [place + 1, cited.get(handle)]]));
  for (const [made, handles, quote] of pending) {
    const pills = handles.filter((handle) => known.has(handle)).map((handle) => {
      const [place, one] = known.get(handle);
      const about = [named(one.record.ref), day(one.record.merged_at || one.record.closed_at || one.record.created_at)].filter(Boolean).join(', ');
      return el('button.pill', {
        type: 'button', 'aria-expanded': 'false', 'aria-controls': 'reader', title: one.record.title,
        'aria-label': `Citation ${place}: ${about}`, onclick: (event) => open(one.handle, one.source, event.currentTarget, one.excerpt, quote || one.statement),
      }, el('b', {}, place), el('span', {}, about));
    });
    made.append(el('div.row', {}, pills));
  }
  turn.append(el('div.meta', {}, el('span', {}, `${answer.evidence} evidence`), answer.citations.every((one) => one.record.unverified) && el('span.tag.off', {}, 'unverified'), el('span', {}, `${Math.round(answer.timings_ms.total)} ms`),
    answer.composer !== 'extractive' && el('span', {}, `written by ${answer.composer}`)));
}

function refusal(said, answer) {
  fill(said, el('p.refused', {}, answer.answer));
  if (!answer.considered.length) return;
  said.append(el('details', { open: true }, el('summary', {}, `Closest matches (${answer.considered.length}), none of which answers it`),
    el('div.rows', {}, answer.considered.map((one) =>
      row(one.handle, one.statement, one.source, [el('span', {}, named(one.record.ref)), weight(one.authority)])))));
}

function row(handle, text, source, about) {
  return el('button.fact', {
    type: 'button', 'aria-expanded': 'false', 'aria-controls': 'reader', onclick: (event) => open(handle, source, event.currentTarget),
  }, el('span.said', {}, prose(text)), el('span.meta', {}, about));
}
