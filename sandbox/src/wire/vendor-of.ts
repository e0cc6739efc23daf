import type { IncomingHttpHeaders } from 'node:http';

const MESSAGES = /^\/v1\/messages(?:\/|$)/;
const SHARED = /^\/v1\/(?:models|files|skills)(?:\/|$)/;

/** Returns whether Anthropic's API handles the request. It has its own headers, credentials, formats and errors. */
export function isMessagesVendor(path: string, headers: IncomingHttpHeaders): boolean {
  return MESSAGES.test(path) || (SHARED.test(path) && headers['anthropic-version'] !== undefined);
}
