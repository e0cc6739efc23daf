import { requireModel } from '../models/require-model.js';
import { countTokens } from '../simulation/tokens.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalCount, optionalOneOf, requiredString } from '../wire/fields.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { invalidType, invalidValue, missingParameter } from '../wire/vendor-error.js';
import { embeddingVector } from './embedding-vector.js';

export const EMBEDDINGS_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/embeddings', handle: createEmbeddings },
];

const INPUTS_MAX = 2048;
const DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-4-small': 1536,
  'text-embedding-4-large': 3072,
  'text-embedding-ada-002': 1536,
  'gemini-embedding-001': 3072,
  'embed-v4.0': 1536,
  'qwen3-embedding-8b': 4096,
};
const DIMENSIONS_OTHERWISE = 1024;
/** These models can return shorter vectors. Other models ignore `dimensions`. */
const SHORTENED = /^text-embedding-[34]-|^gemini-embedding|^embed-v4|^qwen3-embedding/;

/** Returns one unit vector per input, as numbers or as base64 of little-endian 32-bit floats. */
function createEmbeddings({ body }: SandboxRequest): JsonResponse {
  const asked = parseJsonObject(body);
  const model = requiredString(asked, 'model');

  requireModel(model, 'v1/embeddings', ['embedding']);

  const inputs = readInputs(asked.input);
  const dimensions = readDimensions(asked, model);
  const format = optionalOneOf(asked, 'encoding_format', ['float', 'base64']) ?? 'float';
  const tokens = inputs.reduce((sum, { tokens: count }) => sum + count, 0);
  const data = inputs.map(({ text }, index) => {
    const vector = embeddingVector(model, text, dimensions);

    return { object: 'embedding', index, embedding: format === 'float' ? [...vector] : base64Of(vector) };
  });

  return jsonResponse({ object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

interface EmbeddingInput {
  readonly text: string;
  readonly tokens: number;
}

/** Reads a text, a list of texts, a list of token IDs, or a list of such lists. */
function readInputs(value: unknown): EmbeddingInput[] {
  if (value === undefined || value === null) throw missingParameter('input');
  if (typeof value === 'string') return [inputOf(value, 'input')];
  if (!Array.isArray(value)) throw invalidType('input', 'a string or an array');
  if (value.length === 0) throw invalidValue('input', 'at least one input is required');
  if (value.every((token) => typeof token === 'number')) return [inputOf(value, 'input')];
  if (value.length > INPUTS_MAX) throw invalidValue('input', `it can have at most ${INPUTS_MAX} inputs`);
  return value.map((input: unknown, index) => inputOf(input, `input[${index}]`));
}

function inputOf(value: unknown, param: string): EmbeddingInput {
  if (value === '') throw invalidValue(param, 'it must not be an empty string');
  if (typeof value === 'string') return { text: value, tokens: countTokens(value) };
  if (Array.isArray(value)) return { text: JSON.stringify(value), tokens: value.length };
  throw invalidType(param, 'a string or an array of integers');
}

function readDimensions(asked: JsonObject, model: string): number {
  const native = DIMENSIONS[model] ?? DIMENSIONS_OTHERWISE;
  const wanted = optionalCount(asked, 'dimensions');

  if (wanted === null || !SHORTENED.test(model)) return native;
  if (wanted > native) throw invalidValue('dimensions', `it must be at most ${native} for this model`);
  return wanted;
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);

  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
}
