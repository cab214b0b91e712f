// What each compaction did, and taking one back.

import { call, confirm, may } from './api.js';
import { amount, el, empty, failure, fill, head, moment, number, prose, say } from './dom.js';
import { open } from './reader.js';

const JOBS = {
  orphans: 'Gone at their origin', low_confidence: 'Too unsure to keep', exact_duplicates: 'Exact duplicates', time_decay: 'Faded with time',
  near_duplicates: 'Near duplicates', contradictions: 'Contradictions',
};

export async function compactions(main, search, signal) {
  const { compactions: runs } = await call('compactions', {}, { signal });
  const again = () => compactions(main, search, signal);
  fill(main, head('Compactions', 'What the nightly cleaning took out, merged and let fade. What a run took out stays in the archive, and can be brought back.'),
    runs.length ? el('div.stack', {}, runs.map((run) => card(run, again)))
      : empty('Nothing was compacted yet', el('span', {}, 'Run ', el('code', {}, 'cortex compact'), ', or every night: ', el('code', {}, 'cortex schedule install'))));
}

function card(run, again) {
  const { report } = run;
  const jobs = (report.jobs || []).filter((job) => job.changed || job.found);
  const told = el('div', { 'aria-live': 'polite' });
  const undo = el('button', { type: 'button', 'aria-label': `Undo run ${run.run}`, onclick: async () => {
    const sure = await confirm(`Undo run ${run.run}?`, 'The facts it took out stand again, and those it made less or more sure are as sure as before.', 'Undo it');
    if (!sure) return;
    undo.disabled = true;
    try {
      const undone = await call('compact', { undo: run.run });
      await again();
      document.getElementById(`run-${run.run}`)?.focus();
      say(`Run ${run.run} is undone: ${amount(undone.restored, 'fact')} restored`);
    } catch (error) {
      undo.disabled = false;
      fill(told, failure(error));
      undo.focus();
    }
  } }, 'Undo');
  const state = run.undone_by ? el('span.tag.off', {}, `undone by run ${run.undone_by}`)
    : run.status === 'done' ? may('admin') && !run.in_part && jobs.some((job) => job.changed) && undo : el('span.tag.off', {}, run.status);
  return el('article.card.stack', { 'aria-label': `Run ${run.run}`, id: `run-${run.run}`, tabindex: -1 },
    el('div.spread', {}, el('h2', {}, `Run ${run.run}`), state),
    el('div.meta', {}, moment(run.started_at), el('span', {}, run.source || (run.in_part ? 'every source, here yours' : 'every source')),
      report.before !== undefined && el('span', {}, `${number(report.before)} → ${number(report.after)} facts`)),
    jobs.length ? jobs.map((job) => detail(job, run.source)) : el('p.faint', {}, run.status === 'done' ? 'Nothing was left to clean.' : 'It did not end.'), told);
}

function detail(job, source) {
  return el('details', { open: (job.examples || []).length > 0 }, el('summary', {}, `${JOBS[job.job] || job.job}: ${job.found ? amount(job.found, 'pair') : amount(job.changed, 'fact')}${job.looked_at === undefined ? '' : ` of ${number(job.looked_at)}`}`),
    el('ul.events', {}, (job.examples || []).map((one) =>
      el('li', {}, el('button.link', { type: 'button', onclick: (event) => open(one.handle, source || Object.keys(job.by_source || {}), event.currentTarget) }, prose(one.statement)),
        el('div.faint', {}, one.reason)))));
}
