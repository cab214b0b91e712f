// A quotation as it reads: paragraphs, code with a button that copies it, lists and tables. All of it is text.

import { el, prose, say } from './dom.js';

const ITEM = /^(-|\d+[.)]) /;

// The elements of `quote`: a line of prose, then lines set in by four blanks, which are Markdown.
export function quoted(quote) {
  const [first, ...rest] = quote.split('\n');
  const lines = [first, ...rest.map((line) => line.slice(4))].filter((line, place) => place || line);
  const made = [];
  for (let at = 0; at < lines.length;) {
    const alike = run(lines, at);
    const taken = lines.slice(at, at + alike.length);
    made.push(alike.make(taken));
    at += alike.length;
  }
  return made;
}

function run(lines, at) {
  const length = (test) => {
    const end = lines.findIndex((line, place) => place >= at && !test(line));
    return (end < 0 ? lines.length : end) - at;
  };
  if (lines[at] === '```') {
    const close = lines.indexOf('```', at + 1);
    return { length: (close < 0 ? lines.length : close + 1) - at, make: code };
  }
  if (lines[at].startsWith('| ')) return { length: length((line) => line.startsWith('|')), make: table };
  if (ITEM.test(lines[at])) return { length: length((line) => ITEM.test(line)), make: list };
  return { length: 1, make: ([line]) => el('p', {}, prose(line)) };
}

function code(lines) {
  const text = lines.filter((line) => line !== '```').join('\n');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    say('Copied');
  };
  return el('div.code', {}, el('pre', { tabindex: 0 }, el('code', {}, text)), el('button.copy', { type: 'button', 'aria-label': 'Copy the code', onclick: copy }));
}

function list(lines) {
  const ordered = !lines[0].startsWith('-');
  return el(ordered ? 'ol' : 'ul', ordered ? { start: parseInt(lines[0], 10) } : {}, lines.map((line) => el('li', {}, prose(line.replace(ITEM, '')))));
}

function table(lines) {
  const cells = (line) => line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim());
  const headed = lines.length > 1 && /^[|\s:-]+$/.test(lines[1]);
  const rows = lines.slice(headed ? 2 : 0).map((line) => el('tr', {}, cells(line).map((cell) => el('td', {}, prose(cell)))));
  const head = headed && el('thead', {}, el('tr', {}, cells(lines[0]).map((cell) => el('th', {}, prose(cell)))));
  return el('div.table', { tabindex: 0 }, el('table', {}, head, el('tbody', {}, rows)));
}
