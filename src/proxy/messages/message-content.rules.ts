import { invalidType, missingRequiredParameter, invalidValue } from '../../platform/errors/error-factories.js';
import { isObject, type Check, type Kind, type JsonObject, type Mode } from '../../platform/validation/check.js';
import { anything, arrayOf, either, object, required, taggedObject } from '../../platform/validation/compound-kinds.js';
import { oneOf, string, listNames } from '../../platform/validation/scalar-kinds.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { functionName } from '../chat/tool.rules.js';

const nonEmpty = required(string({ min: 1 }));
const mediaType = required(oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'));

const imageSource = taggedObject('type', {
  base64: object({ media_type: mediaType, data: nonEmpty }),
  url: object({ url: nonEmpty }),
});
const documentSource = taggedObject('type', {
  base64: object({ data: nonEmpty }),
  url: object({ url: nonEmpty }),
  text: object({ data: nonEmpty }),
});
/** The upstream validates blocks inside it. */
const toolResult = either({ string: string(), array: arrayOf(anything) });

/** A Map, because in an object the type `constructor` would match. */
const CHECKED_BLOCKS: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    text: object({ text: required(string()) }),
    image: object({ source: required(imageSource) }),
    tool_use: object({ id: nonEmpty, name: nonEmpty, input: required(object()) }),
    tool_result: object({ tool_use_id: nonEmpty, content: toolResult }),
    document: object({ source: required(documentSource) }),
  }).map(([type, kind]) => [type, taggedObject('type', { [type]: kind })]),
);

const checkBlock: Check = (block, param, mode) => {
  if (!isObject(block)) return invalidType(param, 'an object');
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') return null;
  if (type === undefined) return missingRequiredParameter(`${param}.type`);
  if (typeof type !== 'string') return invalidType(`${param}.type`, 'a string');
  return CHECKED_BLOCKS.get(type)?.check(block, param, mode) ?? null;
};

const anyOther = {
  type: 'object',
  description: 'Any other block. It is forwarded unchanged.',
  properties: { type: { type: 'string', not: { enum: [...CHECKED_BLOCKS.keys()] } } },
  required: ['type'],
  additionalProperties: true,
};

/** Text or blocks. Blocks of other types, such as `thinking`, are accepted. */
export const content: Kind = either({
  string: string(),
  array: arrayOf({
    check: checkBlock,
    schema: { oneOf: [...[...CHECKED_BLOCKS.values()].map(({ schema }) => schema), anyOther] },
  }),
});

const ROLES = ['user', 'assistant'];
const knownRoles: ReadonlySet<unknown> = new Set(ROLES);

/** `user` first, then alternating roles. */
export const turns: Kind = {
  // Builds paths only for violations, because there can be thousands of messages.
  check: (value, param, mode) => {
    if (!Array.isArray(value)) return invalidType(param, 'an array of messages');
    if (value.length === 0) return invalidValue(param, 'a non-empty array of messages');
    let last: unknown = 'assistant';
    for (let i = 0; i < value.length; i++) {
      const turn: unknown = value[i];
      const passes =
        isObject(turn) && roleFollows(last, turn.role, mode) && contentViolation(turn, param, mode) === null;
      if (!passes) return violationOf(turn, last, `${param}[${i}]`, mode);
      last = turn.role;
    }
    return null;
  },
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      properties: { role: { type: 'string', enum: ROLES }, content: content.schema },
      required: ['role', 'content'],
      additionalProperties: true,
    },
  },
};

// The two known roles must alternate. Other roles are accepted in lenient mode (D28).
const roleFollows = (last: unknown, role: unknown, { lenient }: Mode): boolean =>
  knownRoles.has(role) ? role !== last : lenient && typeof role === 'string';

function contentViolation({ content: given }: JsonObject, path: string, mode: Mode): GatewayError | null {
  if (typeof given === 'string') return null;
  return given === undefined
    ? missingRequiredParameter(`${path}.content`)
    : content.check(given, `${path}.content`, mode);
}

function violationOf(turn: unknown, last: unknown, path: string, mode: Mode): GatewayError | null {
  if (!isObject(turn)) return invalidType(path, 'an object');
  const { role } = turn;
  if (role === undefined) return missingRequiredParameter(`${path}.role`);
  if (typeof role !== 'string') return invalidType(`${path}.role`, 'a string');
  if (roleFollows(last, role, mode)) return contentViolation(turn, path, mode);
  return invalidValue(`${path}.role`, knownRoles.has(role) ? describeTurn(role) : listNames(ROLES));
}

const describeTurn = (role: string): string =>
  `'${role === 'user' ? 'assistant' : 'user'}', because roles must alternate and start with 'user'`;

const customTool = object({
  type: string(),
  name: required(functionName),
  description: string(),
  input_schema: required(object()),
});

/** A tool that the vendor defines, such as `web_search`, needs no input schema (D27). */
const vendorTool = object({ type: required(string()), name: required(functionName), description: string() });

const tool: Kind = {
  check: (value, param, mode) => {
    const ofVendor = isObject(value) && typeof value.type === 'string' && value.type !== 'custom';
    return (ofVendor ? vendorTool : customTool).check(value, param, mode);
  },
  schema: {
    anyOf: [
      withType(customTool, { type: ['string', 'null'], enum: ['custom', null] }),
      withType(vendorTool, { type: 'string', not: { enum: ['custom'] } }),
    ],
  },
};

/** Unlike in chat completions, functions are not nested. */
export const messageTools: Kind = arrayOf(tool, { min: 1 });

export const messageToolChoice: Kind = taggedObject('type', {
  auto: object(),
  any: object(),
  tool: object({ name: required(string({ min: 1 })) }),
});

function withType({ schema }: Kind, type: object): object {
  return { ...schema, properties: { ...(schema.properties as object), type } };
}
