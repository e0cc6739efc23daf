import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chatBody, promptText } from '../../../src/proxy/completions/emulation.rules.js';
import { anyText } from '../../support/any-text.js';

type Fields = readonly (readonly [name: string, value: string])[];

/** Returns the name as a JSON string. If `escaped`, each letter is an escape sequence. */
const spelled = (name: string, escaped: boolean): string =>
  escaped
    ? `"${name.replace(/./g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
    : JSON.stringify(name);

const blanks = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const known = fc.constantFrom(
  'prompt',
  'echo',
  'messages',
  'model',
  'stream',
  'prompts',
  '"prompt"',
  '__proto__',
  'a\\',
);
const name = fc.tuple(fc.oneof(known, fc.string({ unit: 'grapheme' })), fc.boolean());
const number = fc.constantFrom('12345678901234567890', '1.0', '-0', '1e400', '0.1000', '-1.50E+07');
const value = fc.oneof(
  number,
  fc.json(),
  anyText().map((text) => JSON.stringify(text)),
  fc.json().map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\""', '"\\\\"', '{"prompt":"p","echo":[{"messages":"}"}]}', '[",","\\\\","{"]', '{}', '[]', '""'),
);
const bodies = fc
  .tuple(fc.array(fc.tuple(name, value, fc.array(blanks, { minLength: 4, maxLength: 4 }))), blanks, blanks)
  .map(([fields, before, after]) => ({
    fields: fields.map(([[text, escaped], json]): [string, string] => [spelled(text, escaped), json]),
    text: `${before}{${fields
      .map(([[text, escaped], json, [a, b, c, d]]) => `${a}${spelled(text, escaped)}${b}:${c}${json}${d}`)
      .join(',')}${fields.length === 0 ? after : ''}}${after}`,
  }));

/** Converts a completions body to a chat body as D10 describes it. */
function byParsing(text: string, content: string): unknown {
  const rest = JSON.parse(text) as Record<string, unknown>;
  delete rest['prompt'];
  delete rest['echo'];
  return { ...rest, messages: [{ role: 'user', content }] };
}

const spliced = (text: string, content: string) => chatBody(Buffer.from(text), content, false).toString();
const keptFields = (fields: Fields) =>
  fields.filter(([name]) => !['prompt', 'echo', 'messages'].includes(JSON.parse(name) as string));

describe('chatBody', () => {
  test('turns the prompt of any completions body into one message and removes echo', () => {
    fc.assert(
      fc.property(bodies, anyText(), ({ text }, content) => {
        expect(JSON.parse(spliced(text, content))).toEqual(byParsing(text, content));
      }),
      { numRuns: 500 },
    );
  });

  test('adds one messages field and keeps all other fields byte for byte in their order', () => {
    fc.assert(
      fc.property(bodies, ({ text, fields }) => {
        const chat = spliced(text, 'Hi');
        let at = chat.indexOf('"messages":[{"role":"user","content":"Hi"}]');
        expect(chat.slice(0, at).trim()).toBe('{');
        for (const [name, json] of keptFields(fields)) {
          const nameAt = chat.indexOf(name, at);
          expect(nameAt).toBeGreaterThanOrEqual(at);
          at = chat.indexOf(json, nameAt + name.length);
          expect(at).toBeGreaterThanOrEqual(nameAt + name.length);
          at += json.length;
        }
        expect(JSON.parse(chat)).toHaveProperty('messages', [{ role: 'user', content: 'Hi' }]);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps numbers that exceed the precision of a double, and the whitespace', () => {
    const body = ' {"model":"m" , "seed": 12345678901234567890,"prompt":"x","temperature":1.0,\n"echo":true}\n';
    expect(spliced(body, 'x')).toBe(
      ' {"messages":[{"role":"user","content":"x"}],"model":"m" , "seed": 12345678901234567890,"temperature":1.0\n}\n',
    );
  });

  test('removes other messages fields, including escaped names', () => {
    expect(spliced('{"m\\u0065ssages":[{"role":"system"}],"prompt":"x","messages":1}', 'x')).toBe(
      '{"messages":[{"role":"user","content":"x"}]}',
    );
  });
});

describe('promptText', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    [['one', 'two\n', '', 'four'], 'one\n\ntwo\n\n\n\n\nfour'],
    [['alone'], 'alone'],
    [[], ''],
    [null, ''],
    [undefined, ''],
  ])('converts the prompt %j to the text %j', (prompt, text) => expect(promptText(prompt)).toBe(text));
});
