// The reader beside the text: a fact, a record or a passage, verbatim, with the words it was cited for marked.

import { call } from './api.js';
import { add, day, el, failure, fill, named, prose, say, waiting, weight } from './dom.js';
import { quotedIn } from './marking.js';

const WHOLE = 1_000_000; // characters: as much of a record as can be had at once
const panel = document.getElementById('reader');
const covering = matchMedia('(max-width: 760px)'); // as in app.css: the reader is all there is to see then
const beneath = document.querySelectorAll('.skip, header.bar, main');
let pushed = false; // an entry of the history that the browser's Back takes away, and the reader with it
let opener = null;
let trail = [];

// Open what is called `name`; `from` is what was pressed, and gets the focus back; `excerpt` is what was cited of it,
// and `quoted` the words of that which the answer says.
export function open(name, source, from, excerpt, quoted) {
  if (from) {
    mark(null);
    opener = from;
    mark(from);
    trail = [];
  }
  trail.push([name, source, excerpt, quoted]);
  return render();
}

export function close() {
  if (panel.hidden) return;
  panel.hidden = true;
  cover();
  mark(null);
  const back = opener;
  opener = null;
  if (back?.isConnected) back.focus();
  if (!pushed) return;
  pushed = false;
  history.back();
}

// Where the reader covers everything it is a dialog, and nothing beneath it can be reached.
function cover() {
  const covers = covering.matches && !panel.hidden;
  for (const one of beneath) one.inert = covers;
  document.documentElement.classList.toggle('covered', covers);
  for (const [name, value] of [['role', 'dialog'], ['aria-modal', 'true']]) {
    if (covers) panel.setAttribute(name, value);
    else panel.removeAttribute(name);
  }
  if (covers && !pushed) {
    pushed = true;
    history.pushState({ reader: true }, '');
  }
}

covering.addEventListener('change', cover);
addEventListener('popstate', (event) => {
  if (!pushed || event.state?.reader) return;
  pushed = false;
  close();
});

function mark(which) {
  opener?.setAttribute('aria-expanded', 'false');
  which?.setAttribute('aria-expanded', 'true');
}

async function render() {
  const [name, source, excerpt, quoted] = trail.at(-1);
  panel.hidden = false;
  cover();
  const back = trail.length > 1 && el('button.quiet', { type: 'button', onclick: () => { trail.pop(); render(); } }, '← Back');
  const tools = el('div.tools', {}, back || el('span'),
    el('button.quiet', { type: 'button', onclick: close, 'aria-label': 'Close the reader' }, 'Close'));
  fill(panel, tools, waiting('Opening'));
  const sources = [source || []].flat();
  try {
    const shown = await call('get', { name, sources, limit: WHOLE });
    const parts = await PARTS[shown.what](shown, excerpt, quoted);
    if (trail.at(-1)?.[0] !== name) return;
    fill(panel, tools, parts);
  } catch (error) {
    fill(panel, tools, failure(error));
  }
  panel.scrollTop = 0;
  const title = panel.querySelector('h2');
  (title || tools.querySelector('button')).focus({ preventScroll: true });
  say(title ? `Opened ${title.textContent}` : 'It could not be opened');
  const cited = panel.querySelector('mark');
  const box = cited?.closest('.body');
  if (!box) return;
  box.scrollTop = cited.offsetTop - box.offsetTop - 60;
  const below = cited.getBoundingClientRect().top - panel.getBoundingClientRect().bottom + 60;
  if (below > 0) panel.scrollTop += below + panel.clientHeight / 2;
}

const BACK = {
  reviews: 'reviewed in', fixes: 'fixed by', fixed_by: 'fixes', mentions: 'mentioned by', duplicates: 'duplicated by', reverts: 'reverted by', reverts_part: 'reverted in part by', reapplies: 'brought back by', follows: 'followed by', came_with: 'brought', amends: 'amended by', merges: 'merged by',
  supersedes: 'superseded by', superseded_by: 'supersedes', says_supersedes: 'said to be superseded by', says_superseded_by: 'said to supersede', says_reverts: 'said to be reverted by', says_reverts_part: 'said to be reverted in part by', says_reapplies: 'said to be brought back by', says_fixed_by: 'said to fix', revalues: 'given another value by', co_author: 'co-author of', replies: 'replied to by', touches: 'touched by', releases: 'released as',
  moved_to: 'moved from',
};

const PARTS = {
  async fact(shown, excerpt, quoted) {
    const { fact, record } = shown;
    const [whole, past] = await Promise.all([
      call('get', { name: record.ref, sources: [shown.source], limit: WHOLE }), call('history', { handle: fact.handle, sources: [shown.source] }),
    ]);
    return [
      title(record, shown.source, whole),
      el('section', {}, el('h3', {}, 'What it says, marked in its record'), body(whole.body, quotedIn(whole.body, ...span(whole.body, excerpt, fact), quoted))),
      el('section', {}, el('h3', {}, 'The fact'), el('div.stack', {}, el('p', {}, prose(fact.statement)),
        el('div.meta', {}, el('span.tag.kind', {}, fact.kind), weight(fact.authority, 'authority', true), weight(fact.confidence, 'confidence', true), el('code', {}, fact.handle)))),
      events(past.events, fact.handle, shown.source),
      linked(whole, shown.source),
    ];
  },
  async archived(shown) {
    const past = await call('history', { handle: shown.handle, sources: [shown.source] });
    return [
      el('h2', { tabindex: -1 }, shown.statement),
      el('div.meta', {}, el('span.tag.off', {}, 'taken out'), day(shown.archived_at), el('span', {}, shown.reason), el('code', {}, shown.handle)),
      shown.merged_into && el('section', {}, el('h3', {}, 'Merged into'), opens(shown.merged_into, shown.source)),
      el('section', {}, el('h3', {}, 'As it was quoted'), el('blockquote.body', {}, shown.excerpt)),
      el('section', {}, el('h3', {}, 'Its record'), opens(shown.record, shown.source)),
      events(past.events, shown.handle, shown.source),
    ];
  },
  async record(shown) {
    return [
      title(shown.record, shown.source, shown),
      el('section', {}, el('h3', {}, 'In full'), body(shown.body)),
      shown.facts.length > 0 && el('section', {}, el('h3', {}, 'Facts taken from it'),
        el('ul.events', {}, shown.facts.map((fact) => el('li', {}, opens(fact.handle, shown.source, fact.statement))))),
      linked(shown, shown.source),
      shown.comments.length > 0 && el('section', {}, el('h3', {}, 'Comments'),
        el('ul.events', {}, shown.comments.map((one) =>
          el('li', {}, el('div.meta', {}, one.author, day(one.created_at), one.unverified && el('span.tag.off', {}, 'unverified')), opens(one.ref, shown.source, one.opening))))),
    ];
  },
  async passage(shown, _, quoted) {
    return [
      title(shown.record, shown.source),
      el('section', {}, el('h3', {}, 'What was cited, marked in its record'), body(shown.body, quotedIn(shown.body, units(shown.body, shown.start - shown.body_start), units(shown.body, shown.end - shown.body_start), quoted))),
      el('section', {}, opens(shown.record.ref, shown.source, 'The whole record, with what links to it')),
    ];
  },
};

function title(record, source, whole = {}) {
  const who = record.author && `by ${record.author}`;
  const where = record.path && record.path + (record.lines ? `:${record.lines[0]}` : '');
  return [
    el('h2', { tabindex: -1 }, record.title || named(record.ref)),
    el('div.meta', {}, el('span.tag', {}, named(record.ref)), el('span', {}, record.state || record.type), who && el('span', {}, who),
      day(record.merged_at || record.closed_at || record.created_at) && el('span', {}, day(record.merged_at || record.closed_at || record.created_at)),
      el('span', {}, source), where && el('code', {}, where),
      record.unverified && el('span.tag.off', {}, 'unverified'),
      whole.recorded_by && el('span', {}, `recorded by ${whole.recorded_by}`), whole.gone_at && el('span.tag.off', {}, 'gone at its origin'),
      record.url && el('a', { href: record.url, target: '_blank', rel: 'noopener noreferrer' }, 'At its origin ↗')),
  ];
}

// Where what was cited stands: an answer may quote more of a record than its fact does.
function span(text, excerpt, fact) {
  const [start, end] = [units(text, fact.start), units(text, fact.end)];
  const place = excerpt && text.slice(start, end) !== excerpt ? text.indexOf(excerpt) : -1;
  return place < 0 ? [start, end] : [place, place + excerpt.length];
}

// Offsets count characters, and characters beyond the basic plane are two units here.
function units(text, characters) {
  let place = 0;
  for (let count = 0; count < characters && place < text.length; count += 1) place += text.codePointAt(place) > 0xffff ? 2 : 1;
  return place;
}

// A record's body with `ranges` of it marked, line by line.
function body(text, ranges = []) {
  let at = 0;
  const parts = ranges.flatMap(([start, end]) => {
    const before = text.slice(at, start);
    at = end;
    return [before, ...text.slice(start, end).split(/(\n+)/).map((line) => (line.trim() ? el('mark', {}, line) : line))];
  });
  return el('div.body', { tabindex: 0 }, parts, text.slice(at));
}

function opens(name, source, text) {
  return el('button.link', { type: 'button', onclick: () => open(name, source) }, text || named(name));
}

function events(list, handle, source) {
  if (!list.length) return null;
  return el('section', {}, el('h3', {}, 'History'), el('ul.events', {}, list.map((one) => {
    const more = one.what === 'merged in' ? opens(one.handle, source, one.statement)
      : one.merged_into ? ['merged into ', opens(one.merged_into, source, one.merged_into)]
      : one.ref && opens(one.ref, source);
    return el('li', {}, el('div.meta', {}, day(one.at), el('strong', {}, one.what), one.reason && el('span', {}, one.reason)), more);
  })));
}

function linked(shown, source) {
  const rows = [...shown.links.map((one) => [one, one.relation]), ...shown.linked_from.map((one) => [one, BACK[one.relation]])];
  if (!rows.length) return null;
  return el('section', {}, el('h3', {}, 'Linked'), add(el('ul.events'), rows.map(([one, way]) => {
    const held = one.title || !/^(person|path):/.test(one.ref);
    const words = `${named(one.ref)}${one.title ? ` · ${one.title}` : ''}`;
    return el('li', {}, el('div.meta', {}, way.replaceAll('_', ' '), one.unverified && el('span.tag.off', {}, 'unverified')), held ? opens(one.ref, one.source || source, words) : words);
  })));
}
