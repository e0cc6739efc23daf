interface Details {
  /** HTTP status; 0: no answer came. */
  readonly status: number;
  readonly code: string;
  /** The field or parameter that is wrong. */
  readonly param?: string | null;
  /** To quote when asking for help; null where nothing was answered. */
  readonly requestId?: string | null;
  /** Of a 429 or 503. */
  readonly retryAfterSeconds?: number | null;
}

/** What the gateway said instead of an answer: its envelope, or that it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, { status, code, param = null, requestId = null, retryAfterSeconds = null }: Details) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  static of({ status, headers }: Response, body: unknown): ApiError {
    const error = (body as { error?: Partial<Record<string, string | null>> } | undefined)?.error;
    const retryAfter = headers.get('retry-after');
    return new ApiError(error?.['message'] ?? `The gateway answered ${status}.`, {
      status,
      code: error?.['code'] ?? 'unknown',
      param: error?.['param'] ?? null,
      requestId: error?.['request_id'] ?? null,
      retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    });
  }

  static unreachable(): ApiError {
    return new ApiError('The gateway cannot be reached. Check your connection, then try again.', {
      status: 0,
      code: 'unreachable',
    });
  }
}
