import { describe, expect, test } from '@jest/globals';
import { ChatCompletionRequest } from '../../src/proxy/chat/chat-completion.request.dto.js';
import { compileRules } from '../../src/validation/compile-rules.js';
import { BASE, CHAT_TABLE } from '../support/chat-table.data.js';

const rules = compileRules(ChatCompletionRequest);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const told = (patch: object) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('every field of a chat body: what passes and what is told', () => {
  test.each(Object.keys(CHAT_TABLE))('%s', (field) => {
    const rows = CHAT_TABLE[field] ?? [];
    expect(rows.map(({ patch }) => [patch, told(patch)])).toEqual(rows.map((row) => [row.patch, row.told]));
  });

  test('of several violations the first in the order of the table is told, whatever the order in the body', () => {
    // Wrong for every field: no field is an object with this tag, a boolean, a number, a text or an array.
    const body: Record<string, unknown> = Object.fromEntries(
      Object.keys(CHAT_TABLE)
        .reverse()
        .map((field) => [
          field,
          ['provider', 'web_search_options', 'logit_bias', 'thinking_config'].includes(field) ? 7 : { type: 7 },
        ]),
    );
    const order: string[] = [];
    for (let violation = rules(body); violation !== null; violation = rules(body)) {
      const [field = ''] = violation.param?.split('.') ?? [];
      order.push(field);
      if (field === 'model' || field === 'messages') body[field] = BASE[field];
      else delete body[field];
      if (order.length > 99) break;
    }
    expect(order).toEqual(Object.keys(CHAT_TABLE));
  });

  test('other fields pass, prototype names among them', () => {
    expect(told({ x_unknown: { deep: [null, 1.5] }, constructor: 1, toString: null })).toBeNull();
    expect(
      rules(parse('{"model":"m","messages":[{"role":"user","__proto__":{"role":1}}],"__proto__":{"n":0}}')),
    ).toBeNull();
  });
});
