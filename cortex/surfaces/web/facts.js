// Every fact, by kind, authority, source and age.

import { call } from './api.js';
import { amount, day, el, empty, failure, fill, head, named, number, prose, say, waiting, weight } from './dom.js';
import { open } from './reader.js';

const KINDS = ['decision', 'change', 'directive', 'spec', 'process', 'incident', 'ownership', 'cross_repo'];
const DAY = 86400000;
const AGES = {
  any: ['Any age', () => ({})],
  month: ['Last 30 days', () => ({ since: ago(30) })],
  year: ['Last year', () => ({ since: ago(365) })],
  old: ['Older than a year', () => ({ until: ago(365) })],
};
const PAGE = 50;

function ago(days) {
  return new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
}

export async function facts(main, search, signal) {
  const select = (name, label, options) => el('label', {}, label,
    el('select', { name }, options.map(([value, text]) => el('option', { value, selected: search.get(name) === value }, text))));
  const list = await call('sources', {}, { signal });
  const form = el('form.filters', { role: 'search', 'aria-label': 'Filter the facts', onsubmit: (event) => event.preventDefault() },
    el('label', {}, 'Words', el('input', { name: 'words', type: 'search', value: search.get('words') || '', placeholder: 'Words, a handle or issue:496' })),
    select('kind', 'Kind', [['', 'Every kind'], ...KINDS.map((kind) => [kind, kind.replace('_', ' ')])]),
    select('authority', 'Authority', [['0', 'Any'], ['0.7', '0.70 and more'], ['0.85', '0.85 and more'], ['0.95', '0.95 and more']]),
    select('source', 'Source', [['', 'Every source'], ...list.sources.map((one) => [one.name, one.name])]),
    select('age', 'Age', Object.entries(AGES).map(([value, [text]]) => [value, text])),
    el('label.check', {}, el('input', { type: 'checkbox', name: 'archived', checked: search.get('archived') === 'on' }), 'Those taken out'));
  const count = el('p.faint', { 'aria-live': 'polite' });
  const rows = el('div.rows');
  const more = el('div', {});
  let turn = 0;
  const look = async (offset = 0) => {
    if (!location.hash.startsWith('#/facts')) return; // the address is another section's, which is about to be shown
    const mine = ++turn;
    const chosen = Object.fromEntries([...new FormData(form)].filter(([, value]) => value && value !== '0' && value !== 'any'));
    history.replaceState(null, '', `#/facts?${new URLSearchParams(chosen)}`);
    const given = {
      words: chosen.words || '', kinds: chosen.kind ? [chosen.kind] : [], authority: Number(chosen.authority || 0),
      sources: chosen.source ? [chosen.source] : [], archived: chosen.archived === 'on', limit: PAGE, offset, ...AGES[chosen.age || 'any'][1](),
    };
    if (!offset) fill(more, waiting('Looking'));
    try {
      const found = await call('facts', given, { signal });
      if (mine !== turn) return;
      if (!offset) fill(rows);
      rows.hidden = !found.total;
      rows.append(...found.facts.map(row));
      count.textContent = found.total ? amount(found.total, 'fact') : '';
      say(amount(found.total, 'fact'));
      const left = found.total - offset - found.facts.length;
      fill(more, left > 0 && el('p', {}, el('button', { type: 'button', onclick: () => look(offset + PAGE) }, `Show more (${number(left)})`)),
        !found.total && (list.sources.some((one) => one.facts)
          ? empty(given.archived ? 'No fact was taken out that is like this' : 'No fact is like this', 'Fewer filters find more.')
          : empty('There is no fact yet', el('span', {}, 'Index a project: ', el('code', {}, 'cortex index PATH')))));
    } catch (error) {
      if (error.name !== 'AbortError') fill(more, failure(error, () => look(offset)));
    }
  };
  let soon = 0;
  form.addEventListener('input', (event) => {
    clearTimeout(soon);
    soon = setTimeout(look, event.target.type === 'search' ? 250 : 0);
  });
  fill(main, head('Facts', 'Typed statements, each taken from one record and quoted from it. Open one to see where it stands and what became of it.'),
    form, count, rows, more);
  await look();
}

function row(one) {
  const state = one.state === 'archived' ? 'taken out' : one.state;
  return el('button.fact', {
    type: 'button', 'aria-expanded': 'false', 'aria-controls': 'reader', onclick: (event) => open(one.handle, one.source, event.currentTarget),
  }, el('span.said', {}, prose(one.statement)),
  el('span.meta', {}, el('span.tag.kind', {}, one.kind.replace('_', ' ')), weight(one.authority),
    one.unverified && el('span.tag.off', {}, 'unverified'),
    state !== 'active' && el('span.tag.off', {}, state + (one.replaced_by ? `, now ${named(one.replaced_by)}` : '')),
    el('span', {}, named(one.ref)), el('span', {}, one.source), day(one.touched_at || one.since) && el('span', {}, day(one.touched_at || one.since)),
    one.reason && el('span', {}, one.reason)));
}
