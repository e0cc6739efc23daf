import { findModel, SANDBOX_MODELS, type SandboxModel } from '../models.data.js';
import { CONTEXT_TOKENS } from '../simulation/context-window.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import type { JsonObject } from '../wire/json-object.js';
import { modelNotFound } from '../wire/vendor-error.js';
import { isoTime } from '../wire/iso-time.js';
import { isMessagesVendor } from '../wire/vendor-of.js';
import { messagesPageOf } from '../memory/messages-page.js';

export const MODELS_ROUTES: readonly SandboxRoute[] = [
  { method: 'GET', path: '/v1/models', handle: listModels },
  { method: 'GET', path: '/v1/models/{model*}', handle: retrieveModel },
];

const OUTPUT_TOKENS_MAX = 64_000;
const LINES = ['haiku', 'sonnet', 'opus', 'fable', 'mythos'];

/** With `anthropic-version`, returns a page of Anthropic's models in its format. */
function listModels({ headers, query }: SandboxRequest): JsonResponse {
  if (!isMessagesVendor('/v1/models', headers)) {
    return jsonResponse({ object: 'list', data: SANDBOX_MODELS.map(entryOf) });
  }

  const own = SANDBOX_MODELS.filter((model) => model.owned_by === 'anthropic');

  return jsonResponse(messagesPageOf(own.toSorted((one, other) => other.created - one.created).map(infoOf), query));
}

/** @throws VendorError 404 `model_not_found` for an unknown model */
function retrieveModel({ params, headers }: SandboxRequest): JsonResponse {
  const id = params.model ?? '';
  const model = findModel(id);

  if (model === undefined) throw modelNotFound(id);
  return jsonResponse(isMessagesVendor('/v1/models', headers) ? infoOf(model) : entryOf(model));
}

function entryOf({ id, created, owned_by }: SandboxModel): object {
  return { id, object: 'model', created, owned_by };
}

function infoOf({ id, created }: SandboxModel): JsonObject & { readonly id: string } {
  return {
    type: 'model',
    id,
    display_name: displayName(id),
    created_at: isoTime(created),
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: LINES.find((line) => id.includes(line)) ?? null,
    max_input_tokens: CONTEXT_TOKENS,
    max_tokens: OUTPUT_TOKENS_MAX,
    capabilities: null,
  };
}

/** Turns `claude-opus-4-5-20251101` into `Claude Opus 4.5`. */
function displayName(id: string): string {
  return id
    .replace(/-\d{8}$/, '')
    .replaceAll(/(\d)-(?=\d)/g, '$1.')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
