import { conversationTurns, extendConversation } from '../conversations/conversation.js';
import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { requireModel } from '../models/require-model.js';
import type { Fingerprint } from '../simulation/fingerprint.js';
import { CONTEXT_TOKENS } from '../simulation/context-window.js';
import type { Turn } from '../simulation/turn.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { contextExceeded, VendorError } from '../wire/vendor-error.js';
import {
  respondToResponses,
  inputTokens,
  type ResponsesResponse,
  responseUsage,
  sealed,
} from './responses-response.js';
import { responseEvents } from './response-events.js';
import { listedItem, turnsOfItems } from './response-input.js';
import { responseObject, startedObject } from './response-object.js';
import { MODEL_DEFAULT, readResponseRequest, type ResponseRequest } from './response-request.js';
import type { StoredResponse } from './stored-response.js';

export const RESPONSES_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/responses', handle: createResponse },
  { method: 'POST', path: '/v1/responses/compact', handle: compactConversation },
  { method: 'POST', path: '/v1/responses/input_tokens', handle: countInputTokens },
  { method: 'GET', path: '/v1/responses/{response}', handle: retrieveResponse },
  { method: 'DELETE', path: '/v1/responses/{response}', handle: deleteResponse },
  { method: 'POST', path: '/v1/responses/{response}/cancel', handle: cancelResponse },
  { method: 'GET', path: '/v1/responses/{response}/input_items', handle: listInputItems },
];

/** Stores the response unless `store` is false. A background response waits until it is read. */
function createResponse({ body, fingerprint, memory }: SandboxRequest): SandboxResponse {
  const request = readRequest(parseJsonObject(body), memory);

  requireModel(request.model, 'v1/responses', ['chat', 'ocr']);
  if (inputTokens(request) > CONTEXT_TOKENS) throw contextExceeded(inputTokens(request), 'input');

  const response = respondToResponses(request, fingerprint);
  const waiting = request.background && !request.stream;

  if (request.store) keepResponse(memory, request, response, waiting);
  if (request.conversationId !== null) {
    const items = [...itemsOf(request, fingerprint), ...response.items.map(({ done }) => done)];

    extendConversation(memory, request.conversationId, items);
  }
  if (request.stream) return { kind: 'events', frames: responseEvents(response) };
  return jsonResponse(waiting ? startedObject(response, 'queued') : responseObject(response));
}

/** With `stream=true`, streams the events after `starting_after` again. */
function retrieveResponse({ params, query, memory }: SandboxRequest): SandboxResponse {
  const stored = storedResponse(memory, params.response ?? '');

  if (stored.state === 'cancelled') return jsonResponse(startedObject(stored.response, 'cancelled'));
  put(memory, { ...stored, state: 'done' });
  if (query.get('stream') !== 'true') return jsonResponse(responseObject(stored.response));
  return { kind: 'events', frames: responseEvents(stored.response, Number(query.get('starting_after') ?? -1)) };
}

function deleteResponse({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = storedResponse(memory, params.response ?? '');

  memory.responses.delete(id);
  return jsonResponse({ id, object: 'response', deleted: true });
}

/** Rejects a foreground response with 400. A finished response stays unchanged. */
function cancelResponse({ params, memory }: SandboxRequest): JsonResponse {
  const stored = storedResponse(memory, params.response ?? '');

  if (!stored.background) throw new VendorError(400, 'Only background responses can be canceled.');
  if (stored.state === 'done') return jsonResponse(responseObject(stored.response));
  put(memory, { ...stored, state: 'cancelled' });
  return jsonResponse(startedObject(stored.response, 'cancelled'));
}

function listInputItems({ params, query, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(pageOf(storedResponse(memory, params.response ?? '').input, query));
}

/** Returns the user messages, and one item that replaces all others. */
function compactConversation({ body, fingerprint, memory }: SandboxRequest): JsonResponse {
  const asked = parseJsonObject(body);
  const request = readRequest(withDefaults(asked), memory);

  requireModel(request.model, 'v1/responses/compact', ['chat']);

  const kept = itemsOf(request, fingerprint).filter((item) => item.type === 'message' && item.role === 'user');
  const id = fingerprint.id('cmp_', 48, 'compaction');
  const compaction = { id, type: 'compaction', encrypted_content: sealed('compaction', fingerprint) };

  return jsonResponse({
    id: fingerprint.id('resp_', 48),
    object: 'response.compaction',
    created_at: fingerprint.created,
    output: [...kept, compaction],
    usage: responseUsage(request, 1, 0),
  });
}

function countInputTokens({ body, memory }: SandboxRequest): JsonResponse {
  const request = readRequest(withDefaults(parseJsonObject(body)), memory);

  return jsonResponse({ object: 'response.input_tokens', input_tokens: inputTokens(request) });
}

function withDefaults(body: JsonObject): JsonObject {
  return { ...body, model: body.model ?? MODEL_DEFAULT, input: body.input ?? [] };
}

function readRequest(body: JsonObject, memory: SandboxMemory): ResponseRequest {
  return readResponseRequest(body, {
    ofResponse: (id) => turnsBefore(memory, id),
    ofConversation: (id) => conversationTurns(memory, id),
  });
}

function keepResponse(
  memory: SandboxMemory,
  request: ResponseRequest,
  response: ResponsesResponse,
  waiting: boolean,
): void {
  const said = request.turns.filter((turn) => turn.role !== 'system');

  put(memory, {
    id: response.id,
    response,
    state: waiting ? 'waiting' : 'done',
    background: request.background,
    turns: [...said, ...turnsOfItems(response.items.map(({ done }) => done))],
    input: request.input.map((item, index) => listedItem(item, `${response.id.replace('resp_', 'msg_')}${index}`)),
  });
}

function put(memory: SandboxMemory, stored: StoredResponse): void {
  memory.responses.put(stored, JSON.stringify(stored).length);
}

function itemsOf({ input }: ResponseRequest, fingerprint: Fingerprint): (JsonObject & { readonly id: string })[] {
  return input.map((item, index) => listedItem(item, fingerprint.id('msg_', 48, `input ${index}`)));
}

function storedResponse(memory: SandboxMemory, id: string): StoredResponse {
  const stored = memory.responses.get(id);

  if (stored === undefined) throw new VendorError(404, `Response with id '${id}' not found.`);
  return stored;
}

function turnsBefore(memory: SandboxMemory, id: string): readonly Turn[] {
  const stored = memory.responses.get(id);

  if (stored !== undefined) return stored.turns;
  throw new VendorError(
    400,
    `Previous response with id '${id}' not found.`,
    'previous_response_not_found',
    'previous_response_id',
  );
}
