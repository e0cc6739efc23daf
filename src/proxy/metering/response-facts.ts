import { COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../platform/json/bytes.js';
import { decodeString, endOfString, endOfValue, fieldAt, skipSpace } from '../../platform/json/json-scan.js';
import type { ResponseFacts } from '../../platform/request-context/request-trace.js';
import { containsSecret } from '../../upstream/credentials.js';

const CHOICES_MAX = 128;
const VALUE_BYTES_MAX = 1024;
const PLAIN = /^[\x20-\x7e]{1,200}$/;

export type FactName = 'id' | 'model' | 'finish';

/**
 * Collects the facts of a response for a sampled trace, and the model of a request that names none. The provider can echo
 * credentials, so values that contain a secret are ignored.
 */
export class ResponseFactsReader implements ResponseFacts {
  id: string | null = null;
  model: string | null = null;
  private readonly reasons = new Map<number, string>();

  constructor(private readonly secrets: readonly string[]) {}

  get finishReasons(): readonly string[] {
    return [...this.reasons].sort(([one], [other]) => one - other).map(([, reason]) => reason);
  }

  /**
   * Keeps the first ID, the first model and the last finish reason, because events of an unfinished response also have a status.
   */
  note(name: FactName, value: unknown, choice = 0): void {
    if (typeof value !== 'string' || !PLAIN.test(value) || containsSecret(value, this.secrets)) return;
    if (name !== 'finish') this[name] ??= value;
    else if (choice >= 0 && choice < CHOICES_MAX) this.reasons.set(choice, value);
  }

  /** Notes a JSON string; other JSON values are ignored. */
  noteJson(name: FactName, json: Buffer): void {
    if (json.length <= VALUE_BYTES_MAX && json[0] === QUOTE) this.note(name, decodeString(json, 0, json.length));
  }

  /** Reads a complete JSON response without parsing it. */
  readWhole(body: Buffer): void {
    const start = skipSpace(body, 0);
    this.noteAt('id', body, fieldAt(body, start, 'id'));
    const choices = fieldAt(body, start, 'choices');
    if (choices !== -1) return this.readChoices(body, choices);
    const stop = fieldAt(body, start, 'stop_reason');
    this.noteAt('finish', body, stop === -1 ? fieldAt(body, start, 'status') : stop);
  }

  private readChoices(body: Buffer, choices: number): void {
    if (body[choices] !== OPEN_BRACKET) return;
    let at = skipSpace(body, choices + 1);
    for (let choice = 0; choice < CHOICES_MAX && body[at] === OPEN_BRACE; choice++) {
      this.noteAt('finish', body, fieldAt(body, at, 'finish_reason'), choice);
      const end = endOfValue(body, at);
      const comma = end === -1 ? -1 : skipSpace(body, end);
      if (comma === -1 || body[comma] !== COMMA) return;
      at = skipSpace(body, comma + 1);
    }
  }

  private noteAt(name: FactName, body: Buffer, at: number, choice = 0): void {
    if (at === -1 || body[at] !== QUOTE) return;
    const end = endOfString(body, at);
    if (end !== -1 && end - at <= VALUE_BYTES_MAX) this.note(name, decodeString(body, at, end), choice);
  }
}
