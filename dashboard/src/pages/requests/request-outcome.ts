import { ERROR_WORDS, type ErrorWords } from '../../api/error-words.data';

const GONE: ErrorWords = {
  what: 'The client went away before the answer was complete.',
  help: 'Usually the caller’s own time limit, or somebody who closed a window. Nothing was refused.',
};
const UNKNOWN: ErrorWords = {
  what: 'It was answered with an error.',
  help: 'Look for the request id in the log of the gateway.',
};

interface Outcome {
  readonly status: number;
  readonly error_code: string | null;
}

/** What to say of a request; null: it went well. */
export function wordsOf({ status, error_code: code }: Outcome): ErrorWords | null {
  const known = code === null ? undefined : ERROR_WORDS[code];
  if (known !== undefined) return known;
  if (status === 499) return GONE;
  return status < 400 ? null : UNKNOWN;
}
