import { ANTHROPIC_TYPES, ERROR_CODES, type ErrorCode } from './error-code.data.js';

interface Details {
  /** Path of the invalid field (D30): `messages[0].role`. */
  param?: string | null;
  /** Logged, never sent. */
  cause?: unknown;
  /** Names are lower-case. */
  headers?: Readonly<Record<string, string>>;
  /** Further fields of `error` in the body. */
  fields?: Readonly<Record<string, unknown>>;
}

/**
 * The format of an error body.
 * - `gateway`: `{error}`.
 * - `messages`: adds `type: "error"`, which clients of the Messages API use to recognize an error.
 * - `anthropic`: also uses Anthropic's error types and adds a second `request_id` (`GW_PROFILE=current`).
 */
export type EnvelopeForm = 'gateway' | 'messages' | 'anthropic';

const anthropicType = (status: number): string =>
  ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

/** The only error class whose message reaches a client, so `message` must not reveal internals. */
export class GatewayError extends Error {
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;
  private readonly fields: Readonly<Record<string, unknown>> | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { param = null, cause, headers = {}, fields }: Details = {},
  ) {
    super(message, { cause });
    this.param = param;
    this.headers = headers;
    this.fields = fields;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  envelope(requestId: string, form: EnvelopeForm = 'gateway'): string {
    const { message, code, param, status } = this;
    const type = form === 'anthropic' ? anthropicType(status) : ERROR_CODES[code].type;
    const error = { message, type, param, code, ...this.fields, request_id: requestId };
    if (form === 'gateway') return JSON.stringify({ error });
    return JSON.stringify({ type: 'error', error, ...(form === 'anthropic' && { request_id: requestId }) });
  }
}

/** A provider's error response that the gateway forwards with its status and body (`GW_UPSTREAM_ERRORS=relay`). */
export class RelayedError extends GatewayError {
  /** `relayed.body` is JSON with credentials removed. If it is null, the client gets the gateway's envelope. */
  constructor(
    private readonly relayed: { readonly status: number; readonly body: string | null },
    message: string,
    headers: Readonly<Record<string, string>>,
  ) {
    super('upstream_error', message, { headers });
  }

  override get status(): number {
    return this.relayed.status;
  }

  override envelope(requestId: string, form: EnvelopeForm = 'gateway'): string {
    return this.relayed.body ?? super.envelope(requestId, form);
  }
}

/**
 * The reason of a failure for operators. It prefers the cause, which has details that the public message hides: an address or a system
 * code, never a credential.
 */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return (cause instanceof Error ? detailOf(cause) : '') || detailOf(error) || error.name;
}

/** Node's error for several refused addresses has a code, and no message. */
const detailOf = (error: Error): string => error.message || (error as NodeJS.ErrnoException).code || '';
