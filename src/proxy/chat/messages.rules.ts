import { invalidType, invalidValue, missingRequiredParameter } from '../../errors/catalogue.js';
import type { GatewayError } from '../../errors/gateway-error.js';
import { isObject, type Kind } from '../../validation/check.js';
import { listNames } from '../../validation/scalar-kinds.js';

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
