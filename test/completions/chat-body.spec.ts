import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chatBody, promptText } from '../../src/proxy/completions/emulation.rules.js';
import { anyText } from '../support/any-text.js';

type Members = readonly (readonly [name: string, value: string])[];

/** A name as JSON may spell it: plain, or letter by letter as escapes. */
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
  .map(([members, before, after]) => ({
    members: members.map(([[text, escaped], json]): [string, string] => [spelled(text, escaped), json]),
    text: `${before}{${members
      .map(([[text, escaped], json, [a, b, c, d]]) => `${a}${spelled(text, escaped)}${b}:${c}${json}${d}`)
      .join(',')}${members.length === 0 ? after : ''}}${after}`,
  }));

/** The chat body that the words of D10 make of a completions body. */
function naively(text: string, content: string): unknown {
  const rest = JSON.parse(text) as Record<string, unknown>;
  delete rest['prompt'];
  delete rest['echo'];
  return { ...rest, messages: [{ role: 'user', content }] };
}

const spliced = (text: string, content: string) => chatBody(Buffer.from(text), content).toString();
const staying = (members: Members) =>
  members.filter(([name]) => !['prompt', 'echo', 'messages'].includes(JSON.parse(name) as string));

describe('the chat body of any completions body', () => {
  test('says what the body says, its prompt and echo made into one message', () => {
    fc.assert(
      fc.property(bodies, anyText(), ({ text }, content) => {
        expect(JSON.parse(spliced(text, content))).toEqual(naively(text, content));
      }),
      { numRuns: 500 },
    );
  });

  test('holds one messages member, and every other member byte for byte in its order', () => {
    fc.assert(
      fc.property(bodies, ({ text, members }) => {
        const chat = spliced(text, 'Hi');
        let at = chat.indexOf('"messages":[{"role":"user","content":"Hi"}]');
        expect(chat.slice(0, at).trim()).toBe('{');
        for (const [name, json] of staying(members)) {
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

  test('keeps digits that no double holds, and the layout', () => {
    const body = ' {"model":"m" , "seed": 12345678901234567890,"prompt":"x","temperature":1.0,\n"echo":true}\n';
    expect(spliced(body, 'x')).toBe(
      ' {"messages":[{"role":"user","content":"x"}],"model":"m" , "seed": 12345678901234567890,"temperature":1.0\n}\n',
    );
  });

  test('does not let a second messages through, however it is written', () => {
    expect(spliced('{"m\\u0065ssages":[{"role":"system"}],"prompt":"x","messages":1}', 'x')).toBe(
      '{"messages":[{"role":"user","content":"x"}]}',
    );
  });
});

describe('the one text of a prompt', () => {
  test.each([
    ['text', 'text'],
    ['', ''],
    [['one', 'two\n', '', 'four'], 'one\n\ntwo\n\n\n\n\nfour'],
    [['alone'], 'alone'],
    [[], ''],
    [null, ''],
    [undefined, ''],
  ])('%j → %j', (prompt, text) => expect(promptText(prompt)).toBe(text));
});
