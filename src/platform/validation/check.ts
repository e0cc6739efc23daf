import type { GatewayError } from '../errors/gateway-error.js';

export interface Mode {
  /** Accepts values that a closed list does not contain (D28). */
  readonly lenient: boolean;
  /** Accepts tools of any type on /v1/responses (D26). */
  readonly anyTool?: boolean;
}

/** Checks the value at the path `param` (`tools[0].function.name`). Returns null if it is valid, and never throws. */
export type Check = (value: unknown, param: string, mode: Mode) => GatewayError | null;

export type Schema = Readonly<Record<string, unknown>>;

/** A kind of value: a check for requests and the matching JSON schema for the API description. */
export interface Kind {
  readonly check: Check;
  readonly schema: Schema;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
