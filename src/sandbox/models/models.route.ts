import { findModel, SANDBOX_MODELS, type SandboxModel } from '../models.data.js';
import { jsonAnswer, type JsonAnswer } from '../wire/answer.js';
import type { SandboxRequest } from '../wire/exchange.js';
import { modelNotFound } from '../wire/vendor-error.js';

export function listModels(): JsonAnswer {
  return jsonAnswer({ object: 'list', data: SANDBOX_MODELS.map(entryOf) });
}

/** 404 `model_not_found` for an id that is not in the list. */
export function retrieveModel(request: SandboxRequest): JsonAnswer {
  const id = request.params.model ?? '';
  const model = findModel(id);

  if (model === undefined) throw modelNotFound(id);
  return jsonAnswer(entryOf(model));
}

function entryOf({ id, created, owned_by }: SandboxModel): object {
  return { id, object: 'model', created, owned_by };
}
