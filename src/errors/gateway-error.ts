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
 * The form of an error body.
 * - `gateway`: It is `{error}`.
 * - `messages`: It also has `type: "error"`, by which clients of the Messages API recognize an error.
 * - `anthropic`: It also has Anthropic's error types (`GW_PROFILE=current`).
 */
export type EnvelopeForm = 'gateway' | 'messages' | 'anthropic';

/** Anthropic's error types by status. Its SDKs and Claude Code decide by them whether to retry and what to show. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  529: 'overloaded_error',
};

const anthropicType = (status: number): string =>
  ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

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

  /** The response body as JSON text: `{error: {message, type, param, code, request_id}}`, in one of three forms. */
  envelope(requestId: string, form: EnvelopeForm = 'gateway'): string {
    const { message, code, param, status } = this;
    const type = form === 'anthropic' ? anthropicType(status) : ERROR_CODES[code].type;
    const error = { message, type, param, code, request_id: requestId };
    if (form === 'gateway') return JSON.stringify({ error });
    return JSON.stringify({ type: 'error', error, ...(form === 'anthropic' && { request_id: requestId }) });
  }
}
