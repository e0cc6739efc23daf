import { isObject, type JsonObject } from '../../../platform/validation/check.js';
import { FormFile } from '../../../platform/validation/form-kinds.js';

/** No model has a larger vocabulary. */
const TOKEN_MAX = 10_000_000;

export const messagesIn = ({ messages, input }: JsonObject): number =>
  Array.isArray(messages) ? messages.length : Array.isArray(input) ? input.length : 1;

/** Whether the provider adds stored content to the input: earlier responses, single items of them, or a stored prompt. */
export function refersToHistory({ previous_response_id, conversation, prompt, input }: JsonObject): boolean {
  if ([previous_response_id, conversation].some((value) => isId(value) || isObject(value))) return true;
  if (isObject(prompt) && isId(prompt['id'])) return true;
  return Array.isArray(input) && (input as unknown[]).some(isItemReference);
}

const isId = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Its `type` is optional. Every other item has a role or a type. */
const isItemReference = (item: unknown): boolean =>
  isObject(item) &&
  (item['type'] === 'item_reference' ||
    (isId(item['id']) && (item['type'] ?? null) === null && (item['role'] ?? null) === null));

interface TokenArrays {
  /** The number of tokens that the client has already encoded. */
  readonly tokens: number;
  /** A lower bound of the bytes that they take in the body. */
  readonly bytes: number;
}

/** Counts tokens in `[1, 2]` or `[[1], [2]]`, in linear time. Everything else in the array counts as text. */
export function tokenArraysIn(value: unknown): TokenArrays {
  const sum = { tokens: 0, bytes: 0 };
  if (!Array.isArray(value)) return sum;
  for (const entry of value as unknown[]) {
    if (Array.isArray(entry)) for (const inner of entry as unknown[]) addToken(sum, inner);
    else addToken(sum, entry);
  }
  return sum;
}

function addToken(sum: { tokens: number; bytes: number }, value: unknown): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= TOKEN_MAX) return;
  sum.tokens += 1;
  sum.bytes += bytesOfNumber(value);
}

/** The bytes of its shortest form, with the comma or bracket after it. `5000` can be written as `5e3`. */
function bytesOfNumber(value: number): number {
  if (value < 10 || value % 1000 === 0) return 2;
  let bytes = 3;
  for (let limit = 100; value >= limit; limit *= 10) bytes += 1;
  return bytes;
}

export interface TopLevelContent {
  readonly textBytes: number;
  readonly files: readonly FormFile[];
}

/** Reads the fields of a form, or the top level of a JSON body. `Object.values` would take a second for half a million fields. */
export function topLevelContent(json: JsonObject): TopLevelContent {
  let textBytes = 0;
  const files: FormFile[] = [];
  const add = (value: unknown): void => {
    if (typeof value === 'string') textBytes += Buffer.byteLength(value);
    else if (value instanceof FormFile) files.push(value);
  };
  for (const name of Object.keys(json)) {
    const value = json[name];
    if (Array.isArray(value)) for (const entry of value as unknown[]) add(entry);
    else add(value);
  }
  return { textBytes, files };
}
