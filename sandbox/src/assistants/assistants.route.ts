import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { requireModel } from '../models/require-model.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalString, requiredString } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { objectNotFound } from '../wire/vendor-error.js';
import { type Assistant, changedAssistant, newAssistant } from './assistant.js';

export const ASSISTANTS_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/assistants', handle: listAssistants },
  { method: 'POST', path: '/v1/assistants', handle: createAssistant },
  { method: 'GET', path: '/v1/assistants/{assistant}', handle: retrieveAssistant },
  { method: 'POST', path: '/v1/assistants/{assistant}', handle: modifyAssistant },
  { method: 'DELETE', path: '/v1/assistants/{assistant}', handle: deleteAssistant },
];

const ENTRY_BYTES = 1_000;

function createAssistant({ body, memory }: SandboxRequest): JsonResponse {
  const asked = parseJsonObject(body);
  const model = requiredString(asked, 'model');

  requireModel(model, 'v1/assistants', ['chat']);
  return jsonResponse(
    memory.assistants.create(body.length + ENTRY_BYTES, (id, createdAt) => newAssistant(id, createdAt, model, asked)),
  );
}

function listAssistants({ query, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(pageOf(memory.assistants.all(), query));
}

function retrieveAssistant({ params, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(keptAssistant(memory, params.assistant ?? ''));
}

function modifyAssistant({ params, body, memory }: SandboxRequest): JsonResponse {
  const assistant = keptAssistant(memory, params.assistant ?? '');
  const asked = parseJsonObject(body);
  const model = optionalString(asked, 'model');

  if (model !== null) requireModel(model, 'v1/assistants', ['chat']);

  const changed = changedAssistant(assistant, asked);

  return jsonResponse(memory.assistants.put(changed, JSON.stringify(changed).length));
}

function deleteAssistant({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = keptAssistant(memory, params.assistant ?? '');

  memory.assistants.delete(id);
  return jsonResponse({ id, object: 'assistant.deleted', deleted: true });
}

export function keptAssistant(memory: SandboxMemory, id: string): Assistant {
  const assistant = memory.assistants.get(id);

  if (assistant === undefined) throw objectNotFound('assistant', id);
  return assistant;
}
