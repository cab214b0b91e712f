// How the evals went, run after run.

import { call } from './api.js';
import { day, el, empty, fill, head, moment, svg } from './dom.js';

export async function evals(main, search, signal) {
  const { suites } = await call('evals', {}, { signal });
  fill(main, head('Evals', 'Questions with known answers, asked again at every change. A category that falls is named with the commit that brought it.'),
    suites.length ? el('div.stack', {}, suites.map(card))
      : empty('No eval was run yet', el('span', {}, 'Run ', el('code', {}, 'cortex smoke'), ' or ', el('code', {}, 'cortex eval'))));
}

function card(suite) {
  const last = suite.runs.at(-1);
  const lately = suite.runs.slice(-12).reverse();
  return el('article.card.stack', { 'aria-label': suite.suite },
    el('div.spread', {}, el('h2', {}, suite.suite), el('span.tag', { class: last.passed ? 'tag kind' : 'tag off' }, last.passed ? 'passed' : 'failed')),
    el('dl.figures', {},
      figure('Right', `${last.right} of ${last.total}`), figure('Runs', suite.runs.length),
      last.ms_p50 !== null && figure('Median answer', `${Math.round(last.ms_p50)} ms`), figure('Last run', day(last.at))),
    suite.runs.length > 1 && chart(suite),
    suite.regressions.length > 0 && el('details', { open: true }, el('summary', {}, 'Where a category fell'),
      el('ul.events', {}, suite.regressions.slice(0, 6).map((one) =>
        el('li', {}, `${one.category}: ${percent(one.before)} → ${percent(one.after)}`,
          el('div.faint', {}, `${day(one.at)}${one.commit && ` at ${one.commit.slice(0, 10)}`}: ${one.cases.join(', ')}`))))),
    el('div.scroll', { tabindex: 0, role: 'region', 'aria-label': `Runs of ${suite.suite}` }, el('table', {},
      el('thead', {}, el('tr', {}, ['Run', 'When', 'Commit', 'Right', 'By category', 'p95'].map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, lately.map((run) => el('tr', {},
        el('td', {}, run.run), el('td.whole', {}, moment(run.at)), el('td', {}, run.commit ? el('code', {}, run.commit.slice(0, 8)) : ''),
        el('td', { class: run.passed ? 'whole good' : 'whole poor' }, `${run.right}/${run.total}`),
        el('td', {}, el('span.chips', {}, Object.entries(run.categories).map(([name, rate]) =>
          el('span.tag', { class: rate.right / rate.total < suite.floor ? 'tag off' : 'tag' }, `${name} ${rate.right}/${rate.total}`)))),
        el('td.whole', {}, run.ms_p95 === null ? '' : `${Math.round(run.ms_p95)} ms`)))))));
}

function chart(suite) {
  const shares = suite.runs.map((run) => run.right / run.total);
  const x = (place) => (100 * place) / Math.max(1, shares.length - 1);
  const y = (share) => 38 - 36 * share;
  const line = shares.map((share, place) => `${place ? 'L' : 'M'}${x(place)} ${y(share)}`).join('');
  const text = `Share right over ${shares.length} runs: ${shares.map(percent).join(', ')}`;
  return el('figure', {},
    svg('svg', { class: 'spark', viewBox: '0 0 100 40', preserveAspectRatio: 'none', role: 'img', 'aria-label': text },
      svg('line', { x1: 0, x2: 100, y1: y(suite.floor), y2: y(suite.floor) }), svg('path', { d: line })),
    el('figcaption.faint', {}, `Share of right answers, run after run; the dashes are at ${percent(suite.floor)}, the floor of each category.`));
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

function figure(name, value) {
  return el('div', {}, el('dt', {}, name), el('dd', {}, value));
}
