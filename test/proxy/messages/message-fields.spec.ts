import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MessageRequest } from '../../../src/proxy/messages/message.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { BASE, MESSAGE_TABLE } from './message-table.data.js';

const strict = compileRules(MessageRequest);
const lenient = compileRules(MessageRequest, { lenient: true });
const violationOf = (patch: object, rules = strict) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('fields of a Messages request', () => {
  test.each(Object.keys(MESSAGE_TABLE))('accepts valid values of %s and rejects invalid ones', (field) => {
    const rows = MESSAGE_TABLE[field] ?? [];
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('reports the first violation in the order of the table, regardless of the order in the body', () => {
    const wrong = Object.keys(MESSAGE_TABLE)
      .reverse()
      .map((field) => [field, ['metadata', 'tool_choice', 'thinking'].includes(field) ? 7 : { type: 7 }]);
    const body = Object.fromEntries(wrong) as Record<string, unknown>;
    const order: string[] = [];
    for (let violation = strict(body); violation !== null; violation = strict(body)) {
      const field = violation.param ?? '';
      order.push(field);
      if (Object.hasOwn(BASE, field)) body[field] = BASE[field as keyof typeof BASE];
      else delete body[field];
      if (order.length > 99) break;
    }
    expect(order).toEqual(Object.keys(MESSAGE_TABLE));
  });

  test('accepts unknown fields, including names of Object.prototype', () => {
    expect(violationOf({ x_unknown: { deep: [null] }, container: 'c', constructor: 1 })).toBeNull();
  });

  test('fields of __proto__ do not count as fields of the message', () => {
    const messages: unknown = JSON.parse('[{"__proto__":{"role":"user","content":"x"}}]');
    expect(violationOf({ messages })).toBe('missing_required_parameter messages[0].role');
  });
});

describe('lenient validation of Messages requests (D28)', () => {
  const messages = (...roles: string[]) => ({ messages: roles.map((role) => ({ role, content: 'x' })) });
  test.each<[string, object]>([
    ['an unknown role', messages('user', 'tool', 'user', 'tool', 'tool')],
    ['an unknown role of the first message', messages('system', 'user')],
    ['an unknown type of source', { system: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }],
    [
      'an unknown media type',
      { system: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'd' } }] },
    ],
    ['an unknown type of tool choice', { tool_choice: { type: 'none' } }],
    ['an unknown type of thinking', { thinking: { type: 'adaptive' } }],
  ])('accepts %s, which strict validation rejects', (_what, patch) => {
    expect(violationOf(patch)).toMatch(/^invalid_value /);
    expect(violationOf(patch, lenient)).toBeNull();
  });

  test.each<[object, string]>([
    [messages('assistant'), 'invalid_value messages[0].role'],
    [messages('user', 'user'), 'invalid_value messages[1].role'],
    [messages('user', 'tool', 'user', 'user'), 'invalid_value messages[3].role'],
    [{ messages: [{ role: 'tool' }] }, 'missing_required_parameter messages[0].content'],
    [{ system: [{ type: 'image', source: { type: 'url' } }] }, 'missing_required_parameter system[0].source.url'],
    [{ temperature: 1.5 }, 'invalid_value temperature'],
  ])('still rejects %j with %s', (patch, violation) => expect(violationOf(patch, lenient)).toBe(violation));
});

test('validates all messages of a conversation with 100,000 turns', () => {
  const turn = (i: number) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: i % 3 === 0 ? 'x' : [{ type: 'text', text: 'x' }],
  });
  const messages = Array.from({ length: 100_000 }, (_, i) => turn(i));
  expect(violationOf({ messages })).toBeNull();
  messages.push(turn(99_999));
  expect(violationOf({ messages })).toBe('invalid_value messages[100000].role');
});

test('validates a field with any JSON value without throwing', () => {
  const rows = Object.values(MESSAGE_TABLE).flat();
  const patches = fc.tuple(fc.constantFrom(...rows), fc.constantFrom(...Object.keys(MESSAGE_TABLE)), fc.jsonValue());
  fc.assert(
    fc.property(patches, ([{ patch }, field, value]) => {
      expect(String(violationOf({ ...patch, [field]: value }))).toMatch(
        /^(null|(invalid_(type|value)|missing_required_parameter) \w+)/,
      );
    }),
    { numRuns: 1_000 },
  );
});
