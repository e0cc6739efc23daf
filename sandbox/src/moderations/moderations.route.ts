import { requireModel } from '../models/require-model.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalString } from '../wire/fields.js';
import { isJsonObject, parseJsonObject } from '../wire/json-object.js';
import { invalidType, missingParameter } from '../wire/vendor-error.js';

export const MODERATIONS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/moderations', handle: createModeration },
];

/** Only inputs with this word are flagged, as violence. */
const FLAGGED = 'sandbox-flagged';
const MODEL_DEFAULT = 'omni-moderation-latest';
const LOW_SCORE = 0.000_1;
const HIGH_SCORE = 0.99;
const CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

/** Returns one result per text, or one for all parts of a multimodal input. */
function createModeration({ body, fingerprint }: SandboxRequest): JsonResponse {
  const asked = parseJsonObject(body);
  const model = optionalString(asked, 'model') ?? MODEL_DEFAULT;

  requireModel(model, 'v1/moderations', ['moderation']);
  return jsonResponse({ id: fingerprint.id('modr-', 32), model, results: readInputs(asked.input).map(resultOf) });
}

function readInputs(input: unknown): string[] {
  if (input === undefined || input === null) throw missingParameter('input');
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) throw invalidType('input', 'a string or an array');
  if (!input.some(isJsonObject)) return input.map(String);
  return [
    input
      .filter(isJsonObject)
      .map((part) => (typeof part.text === 'string' ? part.text : ''))
      .join('\n'),
  ];
}

function resultOf(text: string): object {
  const flagged = text.includes(FLAGGED);
  const byCategory = <Value>(value: (hit: boolean) => Value): Record<string, Value> =>
    Object.fromEntries(CATEGORIES.map((name) => [name, value(flagged && name === 'violence')]));

  return {
    flagged,
    categories: byCategory((hit) => hit),
    category_scores: byCategory((hit) => (hit ? HIGH_SCORE : LOW_SCORE)),
    category_applied_input_types: byCategory(() => ['text']),
  };
}
