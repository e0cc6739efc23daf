import fc from 'fast-check';
import { BASE, CHAT_TABLE } from './chat-table.data.js';

export const CHAT_FIELDS = Object.keys(CHAT_TABLE);

const word = fc.constantFrom(
  'auto',
  'none',
  'text',
  'audio',
  'enabled',
  'function',
  'json_schema',
  'content',
  'user',
  'o1',
  'alloy',
  '',
);
const scalar = fc.oneof(
  word,
  fc.boolean(),
  fc.integer({ min: -3, max: 25 }),
  fc.double({ noNaN: true }),
  fc.constant(null),
  fc.string(),
);
const field = fc.constantFrom(
  'type',
  'role',
  'name',
  'function',
  'text',
  'content',
  'voice',
  'budget_tokens',
  'json_schema',
  '__proto__',
);
/** These values have a valid shape more often than random JSON. */
const near = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(field, tie('value'), { maxKeys: 4 }),
})).value;

/** Any JSON object, often with fields of a chat body, and often with a valid `model` and `messages`. */
const random: fc.Arbitrary<Record<string, unknown>> = fc
  .record({
    right: fc.boolean(),
    fields: fc.array(
      fc.tuple(
        fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...CHAT_FIELDS) }, fc.string()),
        fc.oneof(near, fc.jsonValue()),
      ),
    ),
  })
  .map(({ right, fields }) => {
    const base = right ? '"model":"m","messages":[{"role":"user"}]' : '';
    const taken = right ? ['model', 'messages'] : [];
    const rest = fields
      .filter(([name]) => !taken.includes(name))
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    return JSON.parse(`{${[base, ...rest].filter((text) => text !== '').join(',')}}`) as Record<string, unknown>;
  });

/** A valid body patched with some valid and invalid rows of the table. */
const patched: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.constantFrom(...Object.values(CHAT_TABLE).flat()), { maxLength: 4 })
  .map((rows) => Object.assign({}, BASE, ...rows.map(({ patch }) => patch)) as object)
  .map((body) => JSON.parse(JSON.stringify(body)) as Record<string, unknown>);

export const chatBodies: fc.Arbitrary<Record<string, unknown>> = fc.oneof(random, patched);
