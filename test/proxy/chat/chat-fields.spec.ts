import { describe, expect, test } from '@jest/globals';
import { ChatCompletionRequest } from '../../../src/proxy/chat/chat-completion.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';
import { BASE, CHAT_TABLE } from '../../support/chat-table.data.js';

const rules = compileRules(ChatCompletionRequest);
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;
const violationOf = (patch: object) => {
  const body = Object.fromEntries(Object.entries({ ...BASE, ...patch }).filter(([, value]) => value !== undefined));
  const violation = rules(body);
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('fields of a chat request', () => {
  test.each(Object.keys(CHAT_TABLE))('accepts valid values of %s and rejects invalid ones', (field) => {
    const rows = CHAT_TABLE[field] ?? [];
    expect(rows.map(({ patch }) => [patch, violationOf(patch)])).toEqual(rows.map((row) => [row.patch, row.violation]));
  });

  test('reports the first violation in the order of the table, regardless of the order in the body', () => {
    // No field accepts an object with this `type`. The listed fields are objects, so they get a number.
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

  test('accepts unknown fields, including names of Object.prototype', () => {
    expect(violationOf({ x_unknown: { deep: [null, 1.5] }, constructor: 1, toString: null })).toBeNull();
    expect(
      rules(parse('{"model":"m","messages":[{"role":"user","__proto__":{"role":1}}],"__proto__":{"n":0}}')),
    ).toBeNull();
  });
});
