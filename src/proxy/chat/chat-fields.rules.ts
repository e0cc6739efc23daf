import { invalidType, invalidValue, missingRequiredParameter, unsupportedValue } from '../../errors/catalogue.js';
import type { GatewayError } from '../../errors/gateway-error.js';
import { isObject, type Kind, type JsonObject } from '../../validation/check.js';
import { listNames, oneOf, string, integer, boolean } from '../../validation/scalar-kinds.js';
import { arrayOf, object, required, either, taggedObject } from '../../validation/compound-kinds.js';
import type { Rule } from '../../validation/rules.decorator.js';

const ROLES = ['system', 'user', 'assistant', 'tool', 'function', 'developer'];
const knownRoles = new Set(ROLES);
const EXPECTED_ROLE = listNames(ROLES);

/** `messages` of a chat: objects with a `role`. What else they hold is the upstream's to judge. */
export const chatMessages: Kind = {
  // One loop of its own: the list is long, and on the way of every request.
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

/** `modalities`: what the answer is made of. */
export const modalities: Kind = arrayOf(oneOf('text', 'audio'), { min: 1 });

/** `audio`: how a spoken answer sounds. */
export const audioOutput: Kind = object({ voice: required(oneOf(...VOICES)), format: oneOf(...FORMATS) });

/** Whether `audio` has to be there. */
export const asksForAudio = ({ modalities: asked }: JsonObject): boolean =>
  Array.isArray(asked) && asked.includes('audio');

/** The older reasoning family: ids whose last path part is `o1` or begins with `o1-` (D11). */
const OLDER_REASONING = /(?:^|\/)o1(?:-[^/]*)?$/;

interface Sampling {
  readonly model: string;
  readonly temperature?: number | null;
  readonly n?: number | null;
}

/** Those models take no temperature but 1 and give one answer; on chat and emulated completions. `unsupported_value`. */
export const olderReasoningSampling: Rule<Sampling> = ({ model, temperature, n }) => {
  if (!OLDER_REASONING.test(model)) return null;
  if (typeof temperature === 'number' && temperature !== 1) return unsupportedValue('temperature', '1');
  return typeof n === 'number' && n > 1 ? unsupportedValue('n', '1') : null;
};

const textPart = taggedObject('type', { text: object({ text: required(string()) }) });
const content = either({ string: string({ min: 1 }), array: arrayOf(textPart, { min: 1 }) });

/** `prediction`: the text that most of the answer is expected to be. */
export const prediction: Kind = taggedObject('type', { content: object({ content: required(content) }) });

/** `thinking`: switched off, or on with a budget of at least 1024 tokens. */
export const thinking: Kind = taggedObject('type', {
  enabled: object({ budget_tokens: required(integer({ min: 1024 })) }),
  disabled: object(),
});

const jsonSchema = object({ name: required(string({ min: 1 })), strict: boolean(), schema: object() });

/** `response_format`: plain text, any JSON, or JSON of a named schema. */
export const responseFormat: Kind = taggedObject('type', {
  text: object(),
  json_object: object(),
  json_schema: object({ json_schema: required(jsonSchema) }),
});
