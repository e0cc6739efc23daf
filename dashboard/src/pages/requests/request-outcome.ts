import { ERROR_WORDS, type ErrorWords } from '../../api/error-words.data';

const GONE: ErrorWords = {
  what: 'The client disconnected before the response was complete.',
  help: 'The usual causes are a timeout in the client or a closed window. The gateway did not reject the request.',
};
const UNKNOWN: ErrorWords = {
  what: 'The request ended with an error.',
  help: 'Search for the request ID in the gateway’s log.',
};

interface Outcome {
  readonly status: number;
  readonly error_code: string | null;
}

/** Explains the outcome of a request. Returns null if it succeeded. */
export function wordsOf({ status, error_code: code }: Outcome): ErrorWords | null {
  const known = code === null ? undefined : ERROR_WORDS[code];
  if (known !== undefined) return known;
  if (status === 499) return GONE;
  return status < 400 ? null : UNKNOWN;
}
