import type { JsonResponse } from '../wire/response.js';
import type { VendorError } from '../wire/vendor-error.js';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** An error in Anthropic's format: `{ type: 'error', error: { type, message }, request_id }`. */
export function messagesError({ status, message, headers }: VendorError, requestId: string): JsonResponse {
  const error = { type: TYPES[status] ?? 'api_error', message };

  return { kind: 'json', status, body: { type: 'error', error, request_id: requestId }, headers };
}
