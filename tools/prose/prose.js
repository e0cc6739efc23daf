import { LIMITS, WORDS } from './words.data.js';

/**
 * Finds the faults of one paragraph of plain text or Markdown. A code span counts as one word.
 * @param {string} text
 * @param {{ sentenceWords?: number, paragraphWords?: number }} limits
 * @returns {string[]} one message per fault
 */
export function faultsOf(text, limits = LIMITS) {
  const plain = plainText(text);
  const faults = sentencesOf(plain).flatMap((sentence) => sentenceFaults(sentence, limits));
  const words = wordCount(plain);
  if (limits.paragraphWords && words > limits.paragraphWords)
    faults.push(`the paragraph has ${words} words, the limit is ${limits.paragraphWords}: ${start(plain)}`);
  return faults;
}

/** Titles of tests have no length limits. */
export function wordFaultsOf(text) {
  return sentenceFaults(plainText(text), {});
}

function sentenceFaults(sentence, { sentenceWords }) {
  const faults = WORDS.flatMap(({ pattern, remedy }) => {
    const match = pattern.exec(sentence);
    return match ? [`${remedy} instead of "${match[0].slice(0, 40)}": ${start(sentence)}`] : [];
  });
  const words = wordCount(sentence);
  if (sentenceWords && words > sentenceWords)
    faults.push(`the sentence has ${words} words, the limit is ${sentenceWords}: ${start(sentence)}`);
  return faults;
}

const plainText = (text) =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_>]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const sentencesOf = (text) => text.split(/(?<=[.!?:])\s+(?=[A-Z"'])/);

const wordCount = (text) => text.split(' ').length;

const start = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
