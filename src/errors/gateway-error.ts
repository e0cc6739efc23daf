import { ERROR_CODES, type ErrorCode } from './error-code.data.js';

interface Details {
  /** The field at fault, in the form of D30 (`messages[0].role`). */
  param?: string | null;
  /** What really happened: logged, never sent. */
  cause?: unknown;
  /** Sent with the answer, lower-case names; `retry-after` and `x-should-retry` among them. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * The one error that reaches a client. `message` is public and holds nothing of the inside; `cause` is for the log.
 * Made by the factories in `catalogue.ts`, written by the pipeline's error filter.
 */
export class GatewayError extends Error {
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { param = null, cause, headers = {} }: Details = {},
  ) {
    super(message, { cause });
    this.param = param;
    this.headers = headers;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /**
   * The body of the answer: `{error: {message, type, param, code, request_id}}`, as JSON text.
   * @param asMessages with `type: "error"` before it, by which clients of the Messages API know an error
   */
  envelope(requestId: string, asMessages = false): string {
    const { message, code, param } = this;
    const error = { message, type: ERROR_CODES[code].type, param, code, request_id: requestId };
    return JSON.stringify(asMessages ? { type: 'error', error } : { error });
  }
}
