import { findModel, SANDBOX_MODELS, type SandboxModel } from '../models.data.js';
import { jsonAnswer, type JsonAnswer } from '../wire/answer.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { modelNotFound } from '../wire/vendor-error.js';

export const MODELS_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/models', handle: listModels },
  { method: 'GET', path: '/v1/models/{model*}', handle: retrieveModel },
];

function listModels(): JsonAnswer {
  return jsonAnswer({ object: 'list', data: SANDBOX_MODELS.map(entryOf) });
}

/** 404 `model_not_found` for an id that is not in the list. */
function retrieveModel(request: SandboxRequest): JsonAnswer {
  const id = request.params.model ?? '';
  const model = findModel(id);

  if (model === undefined) throw modelNotFound(id);
  return jsonAnswer(entryOf(model));
}

function entryOf({ id, created, owned_by }: SandboxModel): object {
  return { id, object: 'model', created, owned_by };
}
