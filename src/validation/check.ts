import type { GatewayError } from '../errors/gateway-error.js';

/** How far the tables are open. */
export interface Mode {
  /** Names outside a closed list pass (D28). */
  readonly lenient: boolean;
  /** Tools of /v1/responses may be of any type (D26). */
  readonly anyTool?: boolean;
}

/**
 * Judges one JSON value. `param` is its path as clients read it (`tools[0].function.name`).
 * Null is no violation known; never throws, never changes the value.
 */
export type Check = (value: unknown, param: string, mode: Mode) => GatewayError | null;

/** A JSON schema, as the API description shows it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a value may be, said twice from one source: to the request and to the reader of the API description. */
export interface Kind {
  readonly check: Check;
  readonly schema: Schema;
}

/** A JSON object: neither null nor an array. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
