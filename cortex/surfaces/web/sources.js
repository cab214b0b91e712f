// What the brain holds, source by source, and how it is kept.

import { call } from './api.js';
import { amount, day, el, empty, fill, head, moment, number } from './dom.js';

export async function sources(main, search, signal) {
  const status = await call('status', {}, { signal });
  if (!status.sources.length) {
    fill(main, head('Sources'), empty('The brain is empty', el('span', {}, 'Index a project: ', el('code', {}, 'cortex index PATH'))));
    return;
  }
  const records = sum(status.sources.flatMap((one) => Object.values(one.records)));
  const facts = sum(status.sources.flatMap((one) => Object.values(one.facts)));
  const { compaction, usage } = status;
  fill(main, head('Sources', 'What the brain holds, when it was last brought up to date, and what waits.'),
    el('div.stack', {},
      el('dl.figures', {}, figure('Records', number(records)), figure('Facts', number(facts)), status.bytes !== null && figure('Size', `${(status.bytes / 1e6).toFixed(1)} MB`),
        figure('Compacted', compaction.last ? day(compaction.last) : 'never')),
      compaction.overdue && el('p.notice', {}, 'The nightly cleaning is overdue. Run ', el('code', {}, 'cortex compact'), ', or let it run: ', el('code', {}, 'cortex schedule install')),
      status.sources.map(card),
      usage?.most_cited.length > 0 && el('section.card.stack', {}, el('h2', {}, 'Cited most'),
        el('ul.events', {}, usage.most_cited.map((one) => el('li', {}, `${one.ref} of ${one.source}, ${amount(one.cited, 'time')}`))))));
}

function card(one) {
  const waiting = (one.queue.pending || 0) + (one.queue.leased || 0) + (one.queue.failed || 0);
  const dead = one.queue.dead || 0;
  const run = one.last_run;
  return el('article.card.stack', { 'aria-label': one.name },
    el('div.spread', {}, el('h2', {}, one.name), !one.federated && el('span.tag', {}, 'only when named')),
    el('div.meta', {}, run ? el('span', {}, `last ${run.command} ${moment(run.started_at)}, ${run.status}`) : 'never indexed',
      run?.skipped > 0 && el('span', {}, `${amount(run.skipped, 'input')} skipped`),
      waiting > 0 && el('span.tag', {}, `${number(waiting)} to be read`), dead > 0 && el('span.tag.off', {}, `${number(dead)} given up`)),
    counts('Records', one.records), counts('Facts', one.facts),
    Object.keys(one.archived).length > 0 && counts('Taken out', one.archived));
}

function counts(title, kinds) {
  const rows = Object.entries(kinds);
  return el('div', {}, el('h3.faint', {}, title), rows.length
    ? el('div.chips', {}, rows.map(([name, count]) => el('span.tag', {}, `${name.replaceAll('_', ' ')} ${number(count)}`)))
    : el('span.faint', {}, 'none'));
}

function figure(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}

function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}
