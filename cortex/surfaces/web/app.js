// The frame: which section is shown, the theme, and the keys.

import { asked, hasToken } from './api.js';
import { failure, fill, head } from './dom.js';
import { close } from './reader.js';
import { ask } from './ask.js';
import { recall } from './recall.js';
import { facts } from './facts.js';
import { review } from './review.js';
import { compactions } from './compactions.js';
import { evals } from './evals.js';
import { queue } from './queue.js';
import { sources } from './sources.js';

const SECTIONS = { ask, recall, facts, review, compactions, evals, queue, sources };
const WIDE = new Set(['facts', 'compactions', 'evals', 'queue', 'sources']);
const main = document.getElementById('main');
let leave = new AbortController();

async function show() {
  const [name, search = ''] = location.hash.replace(/^#\//, '').split(/\?(.*)/s);
  const section = SECTIONS[name] ? name : 'ask';
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  for (const link of document.querySelectorAll('nav a')) {
    const here = link.getAttribute('href') === `#/${section}`;
    if (here) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else link.removeAttribute('aria-current');
  }
  main.className = WIDE.has(section) ? 'wide' : section;
  close();
  fill(main);
  try {
    await SECTIONS[section](main, new URLSearchParams(search), signal);
  } catch (error) {
    if (error.name !== 'AbortError') fill(main, head(section[0].toUpperCase() + section.slice(1)), failure(error, show));
  }
}

function theme(chosen) {
  document.documentElement.dataset.theme = chosen;
  const button = document.getElementById('theme');
  button.textContent = chosen === 'dark' ? 'Light' : 'Dark';
  button.setAttribute('aria-label', `Switch to the ${chosen === 'dark' ? 'light' : 'dark'} theme`);
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const preferred = () => localStorage.getItem('cortex-theme') || (dark.matches ? 'dark' : 'light');
theme(preferred());
dark.addEventListener('change', () => theme(preferred()));
document.getElementById('theme').addEventListener('click', () => {
  const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem('cortex-theme', next);
  theme(next);
});

const token = document.getElementById('token');
token.addEventListener('click', async () => { if (await asked('Another token may do more or less')) show(); });
addEventListener('token', () => { token.hidden = !hasToken(); });
token.hidden = !hasToken();

document.addEventListener('keydown', (event) => {
  const typing = event.target.closest('input, textarea, select, dialog');
  if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const field = main.querySelector('textarea, input[type="search"]');
    if (field) {
      event.preventDefault();
      field.focus();
    }
  }
});
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => show().then(() => main.focus({ preventScroll: true })));
show();
