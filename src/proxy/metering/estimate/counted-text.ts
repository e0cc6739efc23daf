import { isObject } from '../../../platform/validation/check.js';
import { jsonBeginning } from '../../../platform/json/json-beginning.js';
import { parseJson, textWithPlainNames } from '../../../platform/json/parse-json.js';

/** The texts of a request or a response whose tokens are counted. */
export interface CountedText {
  readonly texts: readonly string[];
  /** As in `Estimate`. */
  readonly choices?: number;
  /** Tokens that the format adds, such as the delimiters of messages. */
  readonly framingTokens: number;
}

/** Collects the texts of one request or response. Values that are not text are ignored. */
export class TextCollector {
  private readonly texts: string[] = [];
  private framing = 0;

  add(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.texts.push(text);
  }

  addJson(value: unknown): void {
    if (value !== undefined && value !== null) this.add(jsonOf(value));
  }

  addFraming(tokens: number): void {
    this.framing += tokens;
  }

  get side(): CountedText {
    return { texts: this.texts, framingTokens: this.framing };
  }
}

/** Deeper values are shortened, because `JSON.stringify` cannot write them. */
const DEEP_LENGTH_MAX = 1024 * 1024;

export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return jsonBeginning(value, DEEP_LENGTH_MAX);
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Null if the bytes are not an object or array, or are truncated. */
export function parsedObject(bytes: Uint8Array): Fields | null {
  try {
    const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

const TEXT_FIELDS =
  /"(?:text|content|thinking|reasoning|reasoning_content|refusal|arguments|partial_json|input|output)"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*)/g;

/** Finds texts in JSON that cannot be parsed because its end is missing. */
export function textsOfCutJson(bytes: Uint8Array): CountedText {
  const text = textOfCut(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  const collector = new TextCollector();
  for (const [, string] of text.matchAll(TEXT_FIELDS)) collector.add(decoded(string as string));
  return collector.side;
}

function textOfCut(bytes: Buffer): string {
  try {
    return textWithPlainNames(bytes);
  } catch {
    return bytes.toString();
  }
}

function decoded(string: string): string {
  try {
    return JSON.parse(`${string}"`) as string;
  } catch {
    // The string was truncated inside an escape.
    return string.slice(1);
  }
}
