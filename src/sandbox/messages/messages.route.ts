import { requireModel } from '../models/require-model.js';
import { jsonAnswer, type SandboxAnswer } from '../wire/answer.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { VendorError } from '../wire/vendor-error.js';
import { messageEvents } from './message-events.js';
import { messageObject } from './message-object.js';
import { answerMessages } from './messages-answer.js';
import { readMessagesRequest } from './messages-request.js';

export const MESSAGES_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/messages', handle: createMessage },
  { method: 'GET', path: '/v1/messages/{message}', handle: retrieveMessage },
];

/** `POST /v1/messages`, buffered or streamed; every chat model speaks this format too. Keeps the answer. */
function createMessage({ body, headers, fingerprint, memory }: SandboxRequest): SandboxAnswer {
  requireVersion(headers['anthropic-version']);

  const request = readMessagesRequest(parseJsonObject(body));

  requireModel(request.model, 'v1/messages', ['chat']);

  const answer = answerMessages(request, fingerprint);
  const message = messageObject(answer);

  memory.messages.put(message, JSON.stringify(message).length);
  return request.stream ? { kind: 'events', frames: messageEvents(answer) } : jsonAnswer(message);
}

function retrieveMessage({ params, headers, memory }: SandboxRequest): SandboxAnswer {
  requireVersion(headers['anthropic-version']);

  const id = params.message ?? '';
  const message = memory.messages.get(id);

  if (message === undefined) throw new VendorError(404, `message_id: ${id}`);
  return jsonAnswer(message);
}

/** The vendor refuses a request without its version header. */
function requireVersion(version: string | string[] | undefined): void {
  if (version === undefined || version === '') throw new VendorError(400, 'anthropic-version: header is required');
}
