// Which characters of a text an answer quotes: its words one after the other, whatever Markdown stands between them.

const TOKEN = /[\p{L}\p{N}]+|[^\p{L}\p{N}\s]/gu;
const WORD = /[\p{L}\p{N}]/u;
const BETWEEN = /^[\s*_`~>#|[-]*$/;
const MOST = 1e6; // pairs of words that are compared: of a fact and a quote there are a hundredth of that

// Ranges of `text` from `start` to `end` that `quoted` says, in their order; all of it where nothing is quoted, or
// where the words are none of it. A sentence may be quoted on beyond the end. No range begins or ends within a word.
export function quotedIn(text, start, end, quoted) {
  while (start > 0 && within(text, start)) start -= 1;
  const said = tokens(quoted || '');
  const words = said.filter((one) => one.word).length;
  const wholly = (last) => {
    while (last < text.length && within(text, last)) last += 1;
    return last;
  };
  const told = (last) => {
    const there = tokens(text.slice(start, last));
    return there.length * said.length > MOST ? [] : aligned(there, said).map((place) => there[place]);
  };
  end = wholly(end);
  let found = told(end);
  if (found.filter((one) => one.word).length < words) {
    const further = told(wholly(end + quoted.length));
    if (further.length > found.length) found = further;
  }
  const runs = joined(text, start, found);
  return runs.length ? runs : [[start, end]];
}

function within(text, place) {
  return WORD.test(text[place - 1]) && WORD.test(text[place]);
}

function tokens(text) {
  return [...text.matchAll(TOKEN)].map((found) => ({ text: found[0], start: found.index, end: found.index + found[0].length, word: WORD.test(found[0]) }));
}

// The places of `there` that say `said` in its order: as many words as can be, and as many in a row.
function aligned(there, said) {
  const columns = said.length + 1;
  const best = new Float64Array((there.length + 1) * columns);
  const ending = new Float64Array((there.length + 1) * columns).fill(-1);
  for (let row = 1; row <= there.length; row += 1) {
    for (let column = 1; column <= said.length; column += 1) {
      const at = row * columns + column;
      const before = at - columns - 1;
      if (there[row - 1].text === said[column - 1].text) ending[at] = (there[row - 1].word ? 2 : 1) + Math.max(best[before], ending[before] + 3);
      best[at] = Math.max(ending[at], best[at - columns], best[at - 1]);
    }
  }
  const found = [];
  let [row, column, follows] = [there.length, said.length, false];
  while (row && column) {
    const at = row * columns + column;
    if (follows || best[at] === ending[at]) {
      found.push(row - 1);
      const before = at - columns - 1;
      follows = ending[before] + 3 >= best[before] && ending[before] >= 0;
      row -= 1;
      column -= 1;
    } else if (best[at] === best[at - columns]) row -= 1;
    else column -= 1;
  }
  return found.reverse();
}

// Ranges of what was `found`, with nothing but spaces and Markdown between them as one; each has a word.
function joined(text, start, found) {
  const runs = [];
  for (const { start: from, end: to, word } of found) {
    const last = runs.at(-1);
    if (last && BETWEEN.test(text.slice(last.to, start + from))) Object.assign(last, { to: start + to, word: last.word || word });
    else runs.push({ from: start + from, to: start + to, word });
  }
  return runs.filter((run) => run.word).map(({ from, to }) => [from, to]);
}
