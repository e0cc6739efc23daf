import {
  invalidType,
  invalidValue,
  missingRequiredParameter,
  unsupportedValue,
} from '../../platform/errors/error-factories.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { isObject, type Kind, type JsonObject } from '../../platform/validation/check.js';
import { listNames, oneOf, string, integer, boolean } from '../../platform/validation/scalar-kinds.js';
import { arrayOf, object, required, either, taggedObject } from '../../platform/validation/compound-kinds.js';
import type { Rule } from '../../platform/validation/body-rules.js';

const ROLES = ['system', 'user', 'assistant', 'tool', 'function', 'developer'];
const knownRoles = new Set(ROLES);
const EXPECTED_ROLE = listNames(ROLES);

/** The upstream validates all fields except `role`. */
export const chatMessages: Kind = {
  // A plain loop instead of composed kinds, because every request runs it over a list that can be long.
  check: (value, param, { lenient }) => {
    if (!Array.isArray(value)) return invalidType(param, 'an array of messages');
    if (value.length === 0) return invalidValue(param, 'a non-empty array of messages');
    for (let i = 0; i < value.length; i++) {
      const message: unknown = value[i];
      const passes = isObject(message) && typeof message.role === 'string' && (lenient || knownRoles.has(message.role));
      if (!passes) return violationOf(message, `${param}[${i}]`);
    }
    return null;
  },
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      properties: { role: { type: 'string', enum: ROLES } },
      required: ['role'],
      additionalProperties: true,
    },
  },
};

function violationOf(message: unknown, path: string): GatewayError {
  if (!isObject(message)) return invalidType(path, 'an object');
  if (message.role === undefined) return missingRequiredParameter(`${path}.role`);
  return typeof message.role === 'string'
    ? invalidValue(`${path}.role`, EXPECTED_ROLE)
    : invalidType(`${path}.role`, 'a string');
}

const VOICES = 'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(' ');
const FORMATS = ['aac', 'flac', 'mp3', 'opus', 'pcm16', 'pcm24', 'wav'];

export const modalities: Kind = arrayOf(oneOf('text', 'audio'), { min: 1 });

export const audioOutput: Kind = object({ voice: required(oneOf(...VOICES)), format: oneOf(...FORMATS) });

export const asksForAudio = ({ modalities: asked }: JsonObject): boolean =>
  Array.isArray(asked) && asked.includes('audio');

const OLDER_REASONING = /(?:^|\/)o1(?:-[^/]*)?$/;

interface Sampling {
  readonly model: string;
  readonly temperature?: number | null;
  readonly n?: number | null;
}

/** Rejects a `temperature` other than 1, and an `n` above 1, for the older reasoning models (D11). */
export const olderReasoningSampling: Rule<Sampling> = ({ model, temperature, n }) => {
  if (!OLDER_REASONING.test(model)) return null;
  if (typeof temperature === 'number' && temperature !== 1) return unsupportedValue('temperature', '1');
  return typeof n === 'number' && n > 1 ? unsupportedValue('n', '1') : null;
};

const textPart = taggedObject('type', { text: object({ text: required(string()) }) });
const content = either({ string: string({ min: 1 }), array: arrayOf(textPart, { min: 1 }) });

export const prediction: Kind = taggedObject('type', { content: object({ content: required(content) }) });

export const thinking: Kind = taggedObject('type', {
  enabled: object({ budget_tokens: required(integer({ min: 1024 })) }),
  disabled: object(),
});

const jsonSchema = object({ name: required(string({ min: 1 })), strict: boolean(), schema: object() });

export const responseFormat: Kind = taggedObject('type', {
  text: object(),
  json_object: object(),
  json_schema: object({ json_schema: required(jsonSchema) }),
});
