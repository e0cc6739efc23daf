import { withoutKeys } from './redact.js';

/**
 * Text of a client or provider as the database can store it. NUL characters and lone surrogates would make the write of the whole
 * batch fail. API keys that were pasted into the wrong field (D24) are redacted, because every viewer of the dashboard can read
 * the text.
 */
export function storable(text: string, lengthMax: number): string {
  const start = text.length > lengthMax ? text.slice(0, lengthMax) : text;
  return withoutKeys(start).toWellFormed().replaceAll('\0', '\ufffd');
}
