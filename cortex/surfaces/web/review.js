// What agents remembered and what records tell of outcomes: approve it, edit it, reject it, or merge it into a directive.

import { call, may } from './api.js';
import { day, el, empty, failure, fill, head, named, prose, say } from './dom.js';
import { open } from './reader.js';

const STATUSES = ['shipped', 'flagged', 'rejected', 'reverted'];
const TOLD = { note: 'an agent says', outcome: 'an agent recorded', proposal: 'as records tell' };

export async function review(main, search, signal) {
  const { pending, more } = await call('review', { limit: 50 }, { signal });
  const again = () => review(main, search, signal);
  fill(main, head('Review', 'What waits for a person. What is approved is written into the project’s journal and weighs what its kind weighs; what is rejected is told no more.'),
    pending.length ? el('div.stack', {}, pending.map((one) => card(one, again))) : empty('Nothing waits for review'),
    more && el('p.faint', {}, 'There is more: it is listed as this is done.'));
}

function card(one, again) {
  const told = el('div', { 'aria-live': 'polite' });
  const form = el('form', { onsubmit: (event) => event.preventDefault() });
  const act = (operation, given, done) => async (event) => {
    const buttons = [...form.querySelectorAll('button')];
    for (const button of buttons) button.disabled = true;
    try {
      await call(operation, { ref: one.ref, sources: [one.source], ...given() });
      await again();
      say(`${done}: ${one.says}`);
      document.getElementById('main').focus();
    } catch (error) {
      for (const button of buttons) button.disabled = false;
      fill(told, failure(error));
      event.target.focus();
    }
  };
  const fields = one.what === 'note' ? noteFields(one) : outcomeFields(one);
  const given = () => Object.fromEntries([...new FormData(form)].filter(([name, value]) => value !== String(one[name === 'text' ? 'says' : name])));
  form.append(...[el('details', {}, el('summary', {}, 'Edit'), fields),
    el('div.row', {},
      el('button.main', { type: 'button', onclick: act('review_approve', given, 'Approved') }, 'Approve'),
      el('button', { type: 'button', onclick: act('review_reject', () => ({}), 'Rejected') }, 'Reject'))]);
  return el('article.card.stack', { 'aria-label': one.says },
    el('div', {}, prose(one.says)),
    one.note && el('p.faint', {}, prose(one.note)),
    el('div.meta', {}, el('span.tag.kind', {}, one.kind || one.status), el('span', {}, TOLD[one.what]), el('span', {}, one.by.includes(':') ? named(one.by) : one.by),
      one.pull && el('span', {}, `PR #${one.pull}`), one.where && el('span', {}, one.where), one.path && el('span', {}, one.path), el('span', {}, one.source), day(one.at) && el('span', {}, day(one.at))),
    one.near.map((near) => el('div.spread', {},
      el('button.link', { type: 'button', onclick: (event) => open(near.handle, one.source, event.currentTarget) }, 'Near: ', prose(near.statement)),
      may('admin') && el('button', { type: 'button', onclick: act('review_merge', () => ({ into: near.handle }), 'Merged') }, 'Merge into it'))),
    may('admin') && form, told);
}

function noteFields(one) {
  return el('div.stack', {}, el('label', {}, 'What it says', el('textarea', { name: 'text', rows: 3 }, one.says)),
    choice('Kind', 'kind', ['note', 'directive'], one.kind));
}

function outcomeFields(one) {
  return el('div.stack', {}, choice('Status', 'status', STATUSES, one.status),
    el('label', {}, 'Note', el('textarea', { name: 'note', rows: 3 }, one.note)));
}

function choice(label, name, values, chosen) {
  return el('label', {}, label, el('select', { name }, values.map((value) => el('option', { value, selected: value === chosen }, value))));
}
