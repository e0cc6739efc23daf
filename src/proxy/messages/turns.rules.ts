import { invalidType, invalidValue, missingRequiredParameter } from '../../errors/catalogue.js';
import type { GatewayError } from '../../errors/gateway-error.js';
import { isObject, type JsonObject, type Kind, type Mode } from '../../validation/check.js';
import { listNames } from '../../validation/scalar-kinds.js';
import { content } from './content-blocks.rules.js';

const ROLES = ['user', 'assistant'];
const knownRoles: ReadonlySet<unknown> = new Set(ROLES);

/** `messages` of a conversation: `user` first, then the two roles in turn. */
export const turns: Kind = {
  // One loop of its own, and no path written before something is wrong: there may be thousands.
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

// A role beyond the list passes where lists are open (D28); whose turn it is can only be said of the two that are in it.
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
  `'${role === 'user' ? 'assistant' : 'user'}': 'user' begins, and the roles take turns`;
