import type { FormPart } from '../multipart/form-part.js';
import { tokensOf } from '../simulation/tokens.js';

/** The approximate size of one second of compressed speech. */
const BYTES_PER_SECOND = 16_000;
const SECONDS_MIN = 0.1;

interface SpokenWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

export interface Transcript {
  readonly text: string;
  readonly seconds: number;
  readonly words: readonly SpokenWord[];
  readonly tokens: readonly string[];
}

/** Returns a text that names the file. The duration is an estimate from the file size. */
export function transcriptOf({ filename, bytes }: FormPart): Transcript {
  const text = `This is the sandbox. It received ${filename ?? 'a file'} with ${bytes.length} bytes and did not listen.`;
  const seconds = Math.max(SECONDS_MIN, rounded(bytes.length / BYTES_PER_SECOND));
  const spoken = text.split(/\s+/);
  const words = spoken.map((word, index) => ({
    word: word.replaceAll(/[.,]$/g, ''),
    start: rounded((seconds * index) / spoken.length),
    end: rounded((seconds * (index + 1)) / spoken.length),
  }));

  return { text, seconds, words, tokens: tokensOf(text) };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
