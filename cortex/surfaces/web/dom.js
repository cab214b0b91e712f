// Building the page out of elements and text alone: nothing a record says can ever become markup.

// What shows as nothing, or turns a line around: no reader would know that it is there.
const JOINED = '\\u0600-\\u0dff\\u0f00-\\u109f\\u1780-\\u18af\\u2122-\\u2bff\\u{1f000}-\\u{1faff}'; // letters and emoji that joiners are for
const UNSEEN = new RegExp(`(?!(?<=[${JOINED}]\\ufe0f?)[\\u200c\\u200d][${JOINED}])(?![\\t\\n\\u0600-\\u0605\\u06dd\\u070f])[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]`, 'gu');

export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const made = document.createElement(tag || 'div');
  if (classes.length) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else made.setAttribute(key, value);
  }
  add(made, children);
  return made;
}

export function add(parent, children) {
  for (const child of children.flat(9)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    parent.append(child instanceof Node ? child : String(child).replace(UNSEEN, ''));
  }
  return parent;
}

export function fill(parent, ...children) {
  parent.replaceChildren();
  return add(parent, children);
}

export function svg(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const INLINE = /(``[^`\n]+``|`[^`\n]+`|\*\*(?=[^\s*])[^*\n]*[^\s*]\*\*|(?<!\w)\[[^\]\n]+\]\(https?:[^()\s]+\))/;

// Text with its `code` set as code, what is **strong** as that, and links as their words and where they lead.
export function prose(text) {
  return text.split(INLINE).map((part, place) => {
    if (place % 2 === 0) return part;
    if (part.startsWith('`')) return el('code', {}, part.replace(/^``?\s?|\s?``?$/g, ''));
    if (part.startsWith('*')) return el('strong', {}, prose(part.slice(2, -2)));
    const [words, address] = part.slice(1, -1).split('](');
    return [prose(words), el('span.faint', {}, ` (${address})`)];
  });
}

export function say(text) {
  document.getElementById('news').textContent = text;
}

export function number(value) {
  return Number(value).toLocaleString('en');
}

export function amount(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

export function day(time) {
  return time ? time.slice(0, 10) : '';
}

export function moment(time) {
  return time ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : '';
}

// 'issue:496' as people say it: 'issue #496'.
export function named(ref) {
  const [type, rest] = [ref.slice(0, ref.indexOf(':')), ref.slice(ref.indexOf(':') + 1)];
  if (type === 'issue' || type === 'pull') return `${type === 'pull' ? 'PR' : 'issue'} #${rest.split('@')[0]}`;
  if (type === 'comment') return `comment on #${rest.split('#')[0]}`;
  if (type === 'commit') return `commit ${rest.slice(0, 8)}`;
  if (type === 'event' || rest.startsWith('remembered#')) return `remembered ${rest.split('#').at(-1).slice(0, 6)}`;
  return rest.split('@')[0] || ref;
}

// How much something weighs, and where `label` is true, of what.
export function weight(value, what = 'authority', label = false) {
  return el('span.weight', { title: `${what} ${value.toFixed(2)}` }, label && what,
    el('meter', { value, min: 0, max: 1, 'aria-label': what }), value.toFixed(2));
}

export function head(title, lead) {
  document.title = `${title} · Cortex`;
  return el('div.head', {}, el('h1', {}, title), lead && el('p.lead', {}, lead));
}

export function waiting(text) {
  return el('p.waiting', { role: 'status' }, text);
}

export function failure(error, again) {
  return el('div.notice.bad', { role: 'alert' },
    el('strong', {}, error.message), error.hint && el('p.faint', {}, 'Try: ', prose(error.hint), '.'),
    again && el('p.row', {}, el('button', { type: 'button', onclick: again }, 'Try again'),
      error.mend && el('button', { type: 'button', onclick: async () => { if (await error.mend.act()) again(); } }, error.mend.label)));
}

export function empty(title, ...more) {
  return el('div.empty', {}, el('strong', {}, title), ...more.map((one) => (one instanceof Node ? one : el('span', {}, one))));
}
