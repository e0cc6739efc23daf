import type { IncomingHttpHeaders } from 'node:http';

const MESSAGES = /^\/v1\/messages(?:\/|$)/;
/** Paths of both vendors; the `anthropic-version` header chooses. */
const SHARED = /^\/v1\/(?:models|files|skills)(?:\/|$)/;

/** Whether the messages vendor answers: with headers, credentials, shapes and errors of its own. */
export function isMessagesVendor(path: string, headers: IncomingHttpHeaders): boolean {
  return MESSAGES.test(path) || (SHARED.test(path) && headers['anthropic-version'] !== undefined);
}
