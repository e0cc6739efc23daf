import type { Dice } from './dice.js';

/** Bytes that parsers of text or lines might mishandle. */
const BYTES = [
  '',
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  "'",
  ';',
  ',',
  ':',
  '=',
  '&',
  '%',
  '%00',
  '%2e',
  '--',
  '{',
  '}',
  '[',
  ']',
  '/',
  '..',
  '\x7f',
  '\x80',
  '\xff',
  '\xed\xa0\x80',
  '\xef\xbb\xbf',
  '\xc3',
  '0',
  '-1',
  '1e999',
  '9'.repeat(30),
  'null',
  'true',
  '__proto__',
  'constructor',
  'a'.repeat(64),
  '+',
  '*',
  '(',
  '$',
].map((text) => Buffer.from(text, 'latin1'));

/** Returns `source` after one to six mutations: bytes are changed, inserted, removed or repeated, or a piece of `others` is added. */
export function mutateBytes(dice: Dice, source: Buffer, others: readonly Buffer[] = BYTES): Buffer {
  let bytes = source;
  for (let times = 1 + dice.int(6); times > 0; times--) bytes = mutateOnce(dice, bytes, others);
  return bytes;
}

function mutateOnce(dice: Dice, bytes: Buffer, others: readonly Buffer[]): Buffer {
  const from = dice.int(bytes.length + 1);
  const to = Math.min(bytes.length, from + dice.int(dice.oneIn(4) ? bytes.length + 1 : 8));
  switch (dice.int(7)) {
    case 0: {
      const changed = Buffer.from(bytes);
      if (from < changed.length) changed[from]! ^= 1 << dice.int(8);
      return changed;
    }
    case 1: {
      const changed = Buffer.from(bytes);
      if (from < changed.length) changed[from] = dice.int(256);
      return changed;
    }
    case 2:
      return put(bytes, from, dice.pick(BYTES));
    case 3:
      return put(bytes, from, dice.pick(others));
    case 4:
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    case 5:
      return put(bytes, dice.int(bytes.length + 1), bytes.subarray(from, to));
    default:
      return bytes.length > 10_000
        ? bytes.subarray(0, from)
        : put(bytes, from, repeated(dice, bytes.subarray(from, to)));
  }
}

const put = (bytes: Buffer, at: number, piece: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);

const repeated = (dice: Dice, piece: Buffer): Buffer =>
  Buffer.concat(new Array<Buffer>(1 + dice.int(Math.min(50, 1 + 4_000 / (piece.length + 1)))).fill(piece));

export const mutateText = (dice: Dice, text: string): string =>
  mutateBytes(dice, Buffer.from(text, 'latin1')).toString('latin1');

/** JSON texts of values that validation might mishandle. */
export const VALUES = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1',
  '0.5',
  '1e308',
  '-1e308',
  '5e-324',
  '1e999',
  '2147483648',
  '9007199254740993',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"😀"',
  '"__proto__"',
  '"constructor"',
  '"../.."',
  '"a\\r\\nb"',
  '"2030-02-30"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":""}',
  '{"length":1}',
  '{"toString":1,"valueOf":null}',
  '{"then":1}',
  '{"type":null}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toJSON":"x"}',
  '{"type":"text"}',
  `"${'a'.repeat(300)}"`,
  `"${'é'.repeat(5_000)}"`,
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `[${'1,'.repeat(200)}1]`,
];
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'type',
  'model',
  'models',
  'role',
  'stream',
  '',
  'x',
  '\0',
  'messages[0]',
];

type Place = readonly [holder: Record<string, unknown> | unknown[], key: string | number];

/** Returns a copy of `value` after one to four mutations: fields are changed, removed, added, swapped, wrapped or repeated. */
export function mutateJson(dice: Dice, value: unknown): unknown {
  // A copy through JSON text keeps fields named `__proto__`.
  const root = { value: JSON.parse(JSON.stringify(value)) as unknown };
  for (let times = 1 + dice.int(4); times > 0; times--) change(dice, root, dice.pick(placesOf(root)));
  return root.value;
}

function change(dice: Dice, root: { value: unknown }, [holder, key]: Place): void {
  const held = Reflect.get(holder, key) as unknown;
  switch (dice.int(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if ((holder as object) !== root) Reflect.deleteProperty(holder, key);
      return;
    case 1:
      if (Array.isArray(holder)) holder.push(...new Array<unknown>(dice.int(70)).fill(held));
      else set(holder, dice.pick(NAMES), held);
      return;
    case 2: {
      const [other, otherKey] = dice.pick(placesOf(root));
      return set(holder, key, copyOf(Reflect.get(other, otherKey)));
    }
    case 3:
      return set(holder, key, dice.oneIn(2) ? [held] : { [dice.pick(NAMES)]: held });
    case 4:
      if (Array.isArray(held)) return void held.push(valueOf(dice));
      if (typeof held === 'object' && held !== null) return set(held, dice.pick(NAMES), valueOf(dice));
      return set(holder, key, typeof held === 'string' ? mutateText(dice, held) : String(held));
    default:
      return set(holder, key, valueOf(dice));
  }
}

const valueOf = (dice: Dice): unknown => JSON.parse(dice.pick(VALUES));
const copyOf = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

/** Sets an own property even if it is named `__proto__`, as `JSON.parse` does. */
function set(holder: object, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function placesOf(holder: object, found: Place[] = []): Place[] {
  for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
    found.push([holder as unknown[], key]);
    if (found.length > 200) break;
    const held: unknown = Object.getOwnPropertyDescriptor(holder, key)?.value;
    if (typeof held === 'object' && held !== null) placesOf(held, found);
  }
  return found;
}
