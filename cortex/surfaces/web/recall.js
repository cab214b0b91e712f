// The recall card: what bears on a task or a file, before anybody touches it. #/recall?task=…&path=… opens it filled in.

import { call } from './api.js';
import { amount, day, el, empty, failure, fill, head, named, number, prose, say, waiting, weight } from './dom.js';
import { open } from './reader.js';

const TITLES = { rule: 'Rules', runbook: 'How it is done', tried: 'Tried before', precedent: 'Done before', decision: 'Decided', open: 'Open', pitfall: 'Went wrong', owner: 'Who knows it' };

export async function recall(main, search) {
  const task = el('textarea', { name: 'task', rows: 2, maxlength: 20000, placeholder: 'Let packets be retried' }, search.get('task') || '');
  const paths = el('input', { name: 'paths', placeholder: 'packages/orchestrator, docs/sandbox.md', value: search.getAll('path').join(', ') });
  const card = el('div.stack', { 'aria-live': 'polite' });
  const look = async () => {
    const given = { task: task.value.trim(), paths: paths.value.split(/[,\n]/).map((one) => one.trim()).filter(Boolean) };
    if (!given.task && !given.paths.length) {
      task.focus();
      return;
    }
    const query = new URLSearchParams([['task', given.task], ...given.paths.map((one) => ['path', one])]);
    history.replaceState(null, '', `#/recall?${query}`);
    fill(card, waiting('Looking'));
    try {
      const brief = await call('brief', given);
      fill(card, shown(brief));
      say(`Found ${amount(brief.items.length, 'thing')} to know`);
    } catch (error) {
      fill(card, failure(error, look));
    }
  };
  fill(main, head('Recall', 'What to know before a task, in the order one reads it: rules, the runbook, what was tried and done before, decisions, what went wrong and who knows it, each cited.'),
    el('form.card.stack', { onsubmit: (event) => { event.preventDefault(); look(); } },
      el('label', {}, 'Task', task), el('label', {}, 'Files or folders, by comma', paths),
      el('div.row', {}, el('button.main', { type: 'submit' }, 'Recall'))),
    card);
  if (task.value || paths.value) await look();
  else fill(card, empty('Nothing asked for yet', 'Say what you are about to do, or which files you will touch.'));
}

function shown(brief) {
  const left = Object.entries(brief.omitted);
  const copy = el('button', { type: 'button', onclick: async () => {
    await navigator.clipboard.writeText(brief.text);
    say('Copied');
    copy.textContent = 'Copied';
  } }, 'Copy as Markdown');
  if (!brief.items.length && !left.length) return empty('Nothing bears on it', 'No rule, earlier work, decision or person of this project does.');
  return [
    !brief.items.length && empty('Nothing that bears on it fits', 'What was found is left out; each says why.'),
    el('div.spread', {}, el('span.faint', {}, `${amount(brief.items.length, 'thing')} to know, ${number(brief.tokens)} of ${number(brief.budget)} tokens`), copy),
    Object.entries(TITLES).map(([section, title]) => listed(title, brief.items.filter((one) => one.section === section))),
    left.length > 0 && el('details', { open: !brief.items.length }, el('summary', {}, `Left out: ${left.map(([why, count]) => `${count} ${why}`).join(', ')}`),
      el('ul.events', {}, brief.left_out.map((one) =>
        el('li', {}, el('button.link', { type: 'button', onclick: (event) => open(one.handle, '', event.currentTarget) }, one.handle), el('div.faint', {}, one.statement || one.why))))),
  ];
}

function listed(title, items) {
  return items.length > 0 && el('section', { 'aria-label': title }, el('h2', {}, title), el('div.rows', {}, items.map(item)));
}

function item(one) {
  return el('button.fact', {
    type: 'button', 'aria-expanded': 'false', 'aria-controls': 'reader', onclick: (event) => open(one.handle, one.source, event.currentTarget),
  }, el('span.said', {}, `${one.label}: `, prose(one.statement)),
  el('span.meta', {}, weight(one.authority), one.unverified && el('span.tag.off', {}, 'unverified'), el('span', {}, named(one.ref)), day(one.since) && el('span', {}, day(one.since)), el('span', {}, one.about || one.why)));
}
