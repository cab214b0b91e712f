// Calling the operations, with the token where one is needed. What goes wrong is an error with a message and a hint.

import { el, fill } from './dom.js';

const TOKEN = 'cortex-token';

let grants = [];

// Whether the server, when it answered last, would have let this page do that: 'read', 'write' or 'admin'.
export const may = (effect) => grants.includes(effect);

export class Failure extends Error {
  constructor(status, message, hint) {
    super(message);
    this.status = status;
    this.hint = hint;
    if (status === 401 || status === 403) {
      this.mend = { label: hasToken() ? 'Give another token' : 'Give a token', act: () => asked('Another token may do more') };
    }
  }
}

export async function call(operation, given = {}, options = {}) {
  const response = await send(operation, given, options);
  return response.json();
}

async function send(operation, given, { signal } = {}) {
  const headers = { 'content-type': 'application/json' };
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(`/v1/${operation}`, { method: 'POST', headers, body: JSON.stringify(given), signal });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Failure(0, 'Cortex cannot be reached', 'see whether cortex serve still runs');
  }
  grants = response.headers.get('cortex-grants')?.split(' ') ?? grants;
  if (response.ok) return response;
  const error = await told(response);
  if (response.status === 401 && (await asked(error.message))) return send(operation, given, { signal });
  throw error;
}

async function told(response) {
  let error = {};
  try {
    error = (await response.json()).error;
  } catch { /* a proxy's page, or none */ }
  if (response.status === 403) error.message = error.message?.replace(/^a remote client may not call '\w+'/i, `This ${hasToken() ? 'token' : 'page'} may not do that`);
  if (response.status === 401) error.hint = 'give a token that whoever runs this Cortex made';
  return new Failure(response.status, error.message || `Cortex answered ${response.status}`, error.hint || 'try again');
}

let asking = null;

// Whether this page has a token; it can be changed or forgotten then.
export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

// Ask for a token, once however many requests wait for it; false where everything stays as it was.
export function asked(why) {
  asking ??= new Promise((resolve) => {
    const dialog = document.getElementById('dialog');
    const input = el('input', { type: 'password', name: 'token', autocomplete: 'off', required: true, 'aria-describedby': 'dialog-why' });
    const form = el('form', { method: 'dialog' },
      el('h2', { id: 'dialog-title' }, 'A token, please'),
      el('p.faint', { id: 'dialog-why' }, `${why}. Whoever runs this Cortex makes one with: cortex token create`),
      el('label', {}, 'Token', input),
      el('div.row', {}, hasToken() && el('button.quiet', { type: 'button', onclick: () => dialog.close('forget') }, 'Forget the one there is'),
        el('button', { type: 'button', onclick: () => dialog.close('no') }, 'Cancel'), el('button.main', { value: 'yes' }, 'Use it')));
    fill(dialog, form);
    dialog.addEventListener('close', () => {
      asking = null;
      if (dialog.returnValue === 'yes') sessionStorage.setItem(TOKEN, input.value.trim());
      if (dialog.returnValue === 'forget') sessionStorage.removeItem(TOKEN);
      dispatchEvent(new Event('token'));
      resolve(dialog.returnValue !== 'no');
    }, { once: true });
    dialog.returnValue = 'no';
    dialog.showModal();
    input.focus();
  });
  return asking;
}

export function confirm(title, text, action) {
  return new Promise((resolve) => {
    const dialog = document.getElementById('dialog');
    fill(dialog, el('form', { method: 'dialog' },
      el('h2', { id: 'dialog-title' }, title), el('p', {}, text),
      el('div.row', {}, el('button', { value: 'no', autofocus: true }, 'Cancel'), el('button.main', { value: 'yes' }, action))));
    dialog.returnValue = 'no';
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
    dialog.showModal();
  });
}
