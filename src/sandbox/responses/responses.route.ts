import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { requireModel } from '../models/require-model.js';
import type { Turn } from '../simulation/turn.js';
import { jsonAnswer, type JsonAnswer, type SandboxAnswer } from '../wire/answer.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { parseJsonObject } from '../wire/json-object.js';
import { VendorError } from '../wire/vendor-error.js';
import { answerResponse, type OutputItem } from './response-answer.js';
import { responseEvents } from './response-events.js';
import { responseObject } from './response-object.js';
import { readResponseRequest } from './response-request.js';
import type { StoredResponse } from './stored-response.js';

export const RESPONSES_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/responses', handle: createResponse },
  { method: 'GET', path: '/v1/responses/{response}', handle: retrieveResponse },
  { method: 'DELETE', path: '/v1/responses/{response}', handle: deleteResponse },
];

/** `POST /v1/responses`, buffered or streamed. Kept, unless `store` is false, and gone on from by its id. */
function createResponse({ body, fingerprint, memory }: SandboxRequest): SandboxAnswer {
  const request = readResponseRequest(parseJsonObject(body), (id) => turnsBefore(memory, id));

  requireModel(request.model, 'v1/responses', ['chat']);

  const answer = answerResponse(request, fingerprint);
  const object = responseObject(answer);

  if (request.store) {
    const said = request.turns.filter((turn) => turn.role !== 'system');
    const turns = [...said, turnOf(answer.item)];

    memory.responses.put({ id: answer.id, object, turns }, JSON.stringify([object, turns]).length);
  }
  return request.stream ? { kind: 'events', frames: responseEvents(answer) } : jsonAnswer(object);
}

function retrieveResponse({ params, memory }: SandboxRequest): JsonAnswer {
  return jsonAnswer(storedResponse(memory, params.response ?? '').object);
}

function deleteResponse({ params, memory }: SandboxRequest): JsonAnswer {
  const { id } = storedResponse(memory, params.response ?? '');

  memory.responses.delete(id);
  return jsonAnswer({ id, object: 'response', deleted: true });
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

function turnOf(item: OutputItem): Turn {
  const text = item.pieces.join('');
  const said = item.type === 'message' ? { text, toolCalls: '' } : { text: '', toolCalls: `${item.name}${text}` };

  return { role: 'assistant', attachments: 0, ...said };
}
