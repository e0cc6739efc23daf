import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MessageRequest } from '../../src/proxy/messages/message.request.dto.js';
import { compileRules } from '../../src/validation/compile-rules.js';
import { BASE, MESSAGE_TABLE } from './message-table.data.js';

const strict = compileRules(MessageRequest);
const lenient = compileRules(MessageRequest, { lenient: true });
const told = (patch: object, rules = strict) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('every field of a message: what passes and what is told', () => {
  test.each(Object.keys(MESSAGE_TABLE))('%s', (field) => {
    const rows = MESSAGE_TABLE[field] ?? [];
    expect(rows.map(({ patch }) => [patch, told(patch)])).toEqual(rows.map((row) => [row.patch, row.told]));
  });

  test('of several violations the first in the order of the table is told, whatever the order in the body', () => {
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

  test('other fields pass, prototype names among them', () => {
    expect(told({ x_unknown: { deep: [null] }, container: 'c', constructor: 1 })).toBeNull();
  });

  test('a member called __proto__ lends its own members to nobody', () => {
    const messages: unknown = JSON.parse('[{"__proto__":{"role":"user","content":"x"}}]');
    expect(told({ messages })).toBe('missing_required_parameter messages[0].role');
  });
});

describe('lenient: names outside a closed list pass, all else is as ever (D28)', () => {
  const messages = (...roles: string[]) => ({ messages: roles.map((role) => ({ role, content: 'x' })) });
  test.each<[string, object]>([
    ['a role', messages('user', 'tool', 'user', 'tool', 'tool')],
    ['a role that begins', messages('system', 'user')],
    ['a kind of source', { system: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }],
    ['a media type', { system: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'd' } }] }],
    ['a tool choice', { tool_choice: { type: 'none' } }],
    ['a kind of thinking', { thinking: { type: 'adaptive' } }],
  ])('%s', (_what, patch) => {
    expect(told(patch)).toMatch(/^invalid_value /);
    expect(told(patch, lenient)).toBeNull();
  });

  test.each<[object, string]>([
    [messages('assistant'), 'invalid_value messages[0].role'],
    [messages('user', 'user'), 'invalid_value messages[1].role'],
    [messages('user', 'tool', 'user', 'user'), 'invalid_value messages[3].role'],
    [{ messages: [{ role: 'tool' }] }, 'missing_required_parameter messages[0].content'],
    [{ system: [{ type: 'image', source: { type: 'url' } }] }, 'missing_required_parameter system[0].source.url'],
    [{ temperature: 1.5 }, 'invalid_value temperature'],
  ])('%j is still %s', (patch, violation) => expect(told(patch, lenient)).toBe(violation));
});

test('in a conversation of 100,000 turns the last one is judged like the first', () => {
  const turn = (i: number) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: i % 3 === 0 ? 'x' : [{ type: 'text', text: 'x' }],
  });
  const messages = Array.from({ length: 100_000 }, (_, i) => turn(i));
  expect(told({ messages })).toBeNull();
  messages.push(turn(99_999));
  expect(told({ messages })).toBe('invalid_value messages[100000].role');
});

test('whatever JSON stands in a field, it is judged and never fails', () => {
  const rows = Object.values(MESSAGE_TABLE).flat();
  const patches = fc.tuple(fc.constantFrom(...rows), fc.constantFrom(...Object.keys(MESSAGE_TABLE)), fc.jsonValue());
  fc.assert(
    fc.property(patches, ([{ patch }, field, value]) => {
      expect(String(told({ ...patch, [field]: value }))).toMatch(
        /^(null|(invalid_(type|value)|missing_required_parameter) \w+)/,
      );
    }),
    { numRuns: 1_000 },
  );
});
