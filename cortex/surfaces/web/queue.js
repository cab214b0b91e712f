// What workers do and are to do, and the texts that wait for their facts.

import { call, may } from './api.js';
import { amount, el, empty, failure, fill, head, moment, number, say } from './dom.js';

const STATES = ['leased', 'pending', 'failed', 'paused', 'dead', 'done', 'cancelled'];
const TASKS = { index: 'Index', queue_work: 'Make facts', compact: 'Compact' };
const ACTS = { cancel: 'Cancel', pause: 'Pause', resume: 'Resume' };
const OFFERED = { leased: ['pause', 'cancel'], pending: ['pause', 'cancel'], failed: ['resume', 'cancel'], paused: ['resume', 'cancel'], dead: ['resume'], cancelled: ['resume'] };

export async function queue(main, search, signal) {
  const found = await call('queue', { states: STATES }, { signal });
  const again = () => queue(main, search, signal);
  const counts = Object.entries(found.counts).filter(([, count]) => count);
  const stuck = found.jobs.filter((job) => job.state === 'dead' || job.state === 'failed');
  fill(main, head('Queue', 'What workers do and are to do, and the texts whose facts are still to be made.'),
    el('div.stack', {},
      counts.length > 0 && el('div.chips', {}, counts.map(([state, count]) => el('span.tag', {}, `texts ${state} ${number(count)}`))),
      found.tasks.length ? found.tasks.map((task) => card(task, again))
        : empty('No task waits', el('span', {}, 'Add one: ', el('code', {}, 'cortex queue add PATH'), ', and have it done: ', el('code', {}, 'cortex worker'))),
      stuck.length > 0 && el('section.card.stack', {}, el('h2', {}, 'Texts that could not be read'),
        el('ul.events', {}, stuck.map((job) => el('li', {}, `${job.ref} of ${job.source}, ${job.state}`, el('div.faint', {}, job.error)))))));
}

function card(task, again) {
  const told = el('div', { 'aria-live': 'polite' });
  const button = (act) => el('button', { type: 'button', 'aria-label': `${ACTS[act]} task ${task.id}`, onclick: async (event) => {
    event.target.disabled = true;
    try {
      await call(`queue_${act}`, { tasks: [task.id] });
      await again();
      document.getElementById(`task-${task.id}`)?.focus();
      say(`${ACTS[act]}: task ${task.id}`);
    } catch (error) {
      event.target.disabled = false;
      fill(told, failure(error));
      event.target.focus();
    }
  } }, ACTS[act]);
  return el('article.card.stack', { 'aria-label': `Task ${task.id}`, id: `task-${task.id}`, tabindex: -1 },
    el('div.spread', {}, el('h2', {}, `${TASKS[task.operation] || task.operation} ${task.source}`), el(task.state === 'dead' ? 'span.tag.off' : 'span.tag', {}, task.wish ? `${task.state}, to ${task.wish}` : task.state)),
    el('div.meta', {}, el('span', {}, `task ${task.id}`), el('span', {}, task.key), task.priority !== 0 && el('span', {}, `priority ${task.priority}`),
      moment(task.finished_at || task.started_at || task.enqueued_at), task.attempts > 0 && el('span', {}, amount(task.attempts, 'attempt')), task.lease_owner && el('span', {}, task.lease_owner)),
    task.progress && el('p.faint', {}, task.progress), task.error && el('p.notice', {}, task.error),
    may('admin') && el('div.row', {}, (OFFERED[task.state] || []).map(button)), told);
}
