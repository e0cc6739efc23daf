interface Details {
  /** The HTTP status, or 0 if no response arrived. */
  readonly status: number;
  readonly code: string;
  readonly param?: string | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
}

/** An error envelope of the gateway, or a failure to reach the gateway. */
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
    return new ApiError(error?.['message'] ?? `The gateway responded with status ${status}.`, {
      status,
      code: error?.['code'] ?? 'unknown',
      param: error?.['param'] ?? null,
      requestId: error?.['request_id'] ?? null,
      retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    });
  }

  static unreachable(): ApiError {
    return new ApiError('The gateway cannot be reached. Check your connection and try again.', {
      status: 0,
      code: 'unreachable',
    });
  }
}
