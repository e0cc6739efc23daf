import type { SettingName } from './settings.data.js';

/** By this estimate, a UUID has about 140 bits, and 128 random bits in hexadecimal about 120. In a million each, none had less than 80. */
const STRENGTH_BITS_MIN = 64;

interface RandomSecret {
  /** The part of a secret that has to be random. */
  readonly randomPartOf: (secret: string) => string;
  readonly generator: string;
}

/** Settings whose values nobody may guess, and that operators choose themselves. */
const RANDOM_SECRETS: Readonly<Partial<Record<SettingName, RandomSecret>>> = {
  adminKeys: {
    randomPartOf: (key) => key.slice('admin_gw_'.length),
    generator: 'echo "admin_gw_$(openssl rand -hex 24)"',
  },
  secretKeys: {
    // The bytes, because base64 hides patterns in them.
    randomPartOf: (key) => Buffer.from(key, 'base64').toString('latin1'),
    generator: 'openssl rand -base64 32',
  },
};

/** Returns the problem of a value that is easy to guess, with the remedy and without any part of the value. */
export function guessableProblem(name: SettingName, env: string, value: unknown): string | null {
  const secret = RANDOM_SECRETS[name];
  if (secret === undefined) return null;
  const parts = (value as readonly string[]).map(secret.randomPartOf);
  if (parts.every((part) => strengthBits(part) >= STRENGTH_BITS_MIN)) return null;
  return (
    `${env} is easy to guess (not shown), because it consists of few different characters, sequences, repetitions or common words. ` +
    `Generate a new value with \`${secret.generator}\`.`
  );
}

/**
 * Estimates the randomness of a text. Each common word, sequence and repetition counts as one character. The estimate is the number of
 * characters, times the bits of one character if all different ones are equally likely. It is lower than the real randomness of
 * random text.
 */
function strengthBits(text: string): number {
  const left = withoutPatterns(text);
  return left.length * Math.log2(Math.max(1, new Set(left).size));
}

/** Shorter patterns occur in random text. */
const PATTERN_LENGTH_MIN = 4;

/** Replaces each word, sequence and repetition by its first character. */
function withoutPatterns(text: string): string {
  const [lower, plain] = [text.toLowerCase(), plainSpelling(text)];
  let left = '';
  for (let at = 0; at < text.length;) {
    left += text[at];
    at += Math.max(1, wordAt(lower, at), wordAt(plain, at), sequenceAt(text, at), repetitionAt(text, at));
  }
  return left;
}

const wordAt = (text: string, at: number): number =>
  WORDS.reduce((longest, word) => (word.length > longest && text.startsWith(word, at) ? word.length : longest), 0);

function sequenceAt(text: string, at: number): number {
  const step = text.charCodeAt(at + 1) - text.charCodeAt(at);
  if (!(Math.abs(step) <= 1)) return 0;
  let end = at + 2;
  while (text.charCodeAt(end) - text.charCodeAt(end - 1) === step) end++;
  return end - at >= PATTERN_LENGTH_MIN ? end - at : 0;
}

/** The length of the longest part from here that has begun earlier in the text. */
function repetitionAt(text: string, at: number): number {
  let length = PATTERN_LENGTH_MIN - 1;
  while (at + length < text.length && text.indexOf(text.slice(at, at + length + 1)) < at) length++;
  return length >= PATTERN_LENGTH_MIN ? length : 0;
}

const SUBSTITUTES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

const plainSpelling = (text: string): string =>
  text.toLowerCase().replace(/[013457@$]/g, (character) => SUBSTITUTES[character]!);

/** Words of placeholders and of secrets that people choose. Rows of a keyboard are sequences too. */
const WORDS = (
  'changeme change replace insert please placeholder example sample default dummy foobar your yours here this with must long random ' +
  'string value strong secure password passwort passwd secret secretkey token apikey admin administrator root user master super ' +
  'welcome hello letmein test testing demo todo gateway inference openai anthropic litellm company server service system local ' +
  'docker kubernetes public private production prod staging development ' +
  'qwertyuiop qwertzuiop qwerty qwertz asdfghjkl asdfgh asdf zxcvbnm yxcvbnm 2024 2025 2026 2027 2028 2029 2030'
).split(' ');
