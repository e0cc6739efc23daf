import { requireModel } from '../models/require-model.js';
import { CONTEXT_TOKENS } from '../simulation/context-window.js';
import { jsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { VendorError } from '../wire/vendor-error.js';
import { messageEvents } from './message-events.js';
import { messageObject } from './message-object.js';
import { respondToMessages, inputTokens } from './messages-response.js';
import { readMessagesRequest } from './messages-request.js';

export const MESSAGES_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/messages', handle: createMessage },
  { method: 'POST', path: '/v1/messages/count_tokens', handle: countMessageTokens },
  { method: 'GET', path: '/v1/messages/{message}', handle: retrieveMessage },
];

function createMessage({ body, headers, fingerprint, memory }: SandboxRequest): SandboxResponse {
  requireVersion(headers['anthropic-version']);

  const request = readMessagesRequest(parseJsonObject(body));

  requireModel(request.model, 'v1/messages', ['chat']);
  if (inputTokens(request) > CONTEXT_TOKENS) throw promptTooLong(inputTokens(request));

  const response = respondToMessages(request, fingerprint);
  const message = messageObject(response);

  memory.messages.put(message, JSON.stringify(message).length);
  return request.stream ? { kind: 'events', frames: messageEvents(response) } : jsonResponse(message);
}

function countMessageTokens({ body, headers }: SandboxRequest): SandboxResponse {
  requireVersion(headers['anthropic-version']);

  const request = readMessagesRequest(parseJsonObject(body), true);

  requireModel(request.model, 'v1/messages/count_tokens', ['chat']);
  return jsonResponse({ input_tokens: inputTokens(request) });
}

function retrieveMessage({ params, headers, memory }: SandboxRequest): SandboxResponse {
  requireVersion(headers['anthropic-version']);

  const id = params.message ?? '';
  const message = memory.messages.get(id);

  if (message === undefined) throw new VendorError(404, `message_id: ${id}`);
  return jsonResponse(message);
}

function promptTooLong(tokens: number): VendorError {
  return new VendorError(400, `prompt is too long: ${tokens} tokens > ${CONTEXT_TOKENS} maximum`);
}

function requireVersion(version: string | string[] | undefined): void {
  if (version === undefined || version === '') throw new VendorError(400, 'anthropic-version: header is required');
}
