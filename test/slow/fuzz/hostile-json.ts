import { mutateBytes, VALUES } from '../../fuzz/mutate.js';
import type { Dice } from '../../fuzz/dice.js';

/** The credential of the account that responds. */
export const SECRET = 'upstream/credential-of-the-account';
/** A credential that is not the account's. Only errors must not contain it. */
export const OTHER = 'sk-proj-abcdefghijklmnop';

/** All letters as escapes. */
const escaped = (text: string): string =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** The UTF-8 bytes of a text, one per character. Texts in this form can also be invalid UTF-8. */
const binary = (text: string): string => Buffer.from(text).toString('latin1');

const HOSTILE: readonly string[] = [
  ...VALUES,
  '{"toString":null,"valueOf":null}',
  '{"toString":{},"valueOf":1}',
  '{"__proto__":null}',
  '1e400',
  '-1e400',
  '{"constructor":null,"hasOwnProperty":1}',
  '{"then":{"then":1}}',
  '{"toJSON":null}',
  '{"length":1e9}',
  '{"0":{}}',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '9'.repeat(40),
  '-0',
  '1E-400',
  '"NaN"',
  '[[[[]]]]',
  '[{}]',
  '{"":{}}',
  '{"a":1,"a":{"a":2},"a":[]}',
  '{"get":1,"set":2}',
  '{"message":{"message":{}}}',
  '{"error":{"error":{}}}',
  '-',
  '"\\u00',
  '"',
  '{',
  ']',
  'undefined',
  'NaN',
  '{"a"}',
  '[,]',
  '\u00ff',
  '\ufeff{}',
  '"\u2028"',
  '0x1',
  '.5',
  '1.',
].map(binary);

/** Names that readers of responses look for, and names of members that every object has. */
const NAMES = [
  'error',
  'errors',
  'message',
  'detail',
  'msg',
  'loc',
  'type',
  'code',
  'id',
  'model',
  'object',
  'usage',
  'choices',
  'delta',
  'content',
  'index',
  'finish_reason',
  'output',
  'response',
  'item',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'input',
  'text',
  'service_tier',
  'prompt_tokens',
  'completion_tokens',
  'input_tokens',
  'data',
  'size',
  'output_tokens',
  'iterations',
  'cost',
  'usageMetadata',
  'promptTokensDetails',
  'prompt_tokens_details',
  'x_groq',
  'created',
  'created_at',
  'owned_by',
  'next_page',
  'has_more',
  'last_id',
  'models',
  'status',
  'conversation',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'hasOwnProperty',
  'length',
  '',
];

export interface HostileText {
  /** One character per byte. */
  readonly text: string;
  /** It contains something that looks like a credential, as it is or with escapes. */
  readonly hasCredential: boolean;
}

const plain = (text: string): HostileText => ({ text, hasCredential: false });

/** The JSON text of a value that a reader might mishandle. It need not be valid. */
function hostileValue(dice: Dice): HostileText {
  switch (dice.int(12)) {
    case 0:
      return {
        text: `"x ${dice.pick([SECRET, escaped(SECRET), SECRET.replace('/', '\\/'), OTHER])} y"`,
        hasCredential: true,
      };
    case 1:
      return plain(deep(dice));
    case 2:
      return plain(`{"${'k'.repeat(dice.int(dice.oneIn(20) ? 50_000 : 100))}":1}`);
    case 3:
      return plain(`"${dice.pick(['\\', '\\"', '\xc3\xa9', '\\u00e9', '\xff', 'a']).repeat(1 + dice.int(300))}"`);
    case 4:
    case 5: {
      const inner = hostileValue(dice);
      return { ...inner, text: `{"${dice.pick(NAMES)}":${inner.text},"${dice.pick(NAMES)}":1}` };
    }
    case 6: {
      const inner = hostileValue(dice);
      return { ...inner, text: `[${inner.text},${dice.pick(HOSTILE)}]` };
    }
    default:
      return plain(dice.pick(HOSTILE));
  }
}

/** Mostly deeper than any reader expects, and rarely deep enough to overflow the stack of a recursive reader. */
function deep(dice: Dice): string {
  const depth = dice.oneIn(40) ? 100_000 : 1 + dice.int(200);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"error":', '}'],
    ['[{"message":', '}]'],
  ] as const);
  return open.repeat(depth) + dice.pick(['1', '"x"', '{}', '']) + (dice.oneIn(4) ? '' : close.repeat(depth));
}

/** Replaces one to three fields or elements of `value` by hostile ones, adds one, or changes bytes of the text. */
export function hostileJson(dice: Dice, value: unknown): HostileText {
  let text = binary(JSON.stringify(value));
  let hasCredential = false;
  for (let times = dice.int(4); times > 0; times--) {
    const inserted = hostileValue(dice);
    hasCredential ||= inserted.hasCredential;
    text = withHostile(dice, text, inserted.text);
  }
  if (dice.oneIn(10)) text = mutateBytes(dice, Buffer.from(text, 'latin1')).toString('latin1');
  return { text, hasCredential };
}

/** Works on the text, so that names can be repeated and the result can be invalid. */
function withHostile(dice: Dice, text: string, hostile: string): string {
  const colons = [...text.slice(0, 5_000).matchAll(VALUE)];
  const found = colons.length === 0 ? undefined : dice.pick(colons);
  if (found === undefined || dice.oneIn(6)) return text.replace('{', () => `{"${dice.pick(NAMES)}":${hostile},`);
  const at = found.index + found[1]!.length;
  return text.slice(0, at) + hostile + text.slice(at + found[2]!.length);
}

/** A scalar after a colon, or an empty container. */
const VALUE = /([:[,])("[^"\\]*"|-?\d+(?:\.\d+)?|true|false|null|\[\]|\{\})(?=[,\]}])/g;
