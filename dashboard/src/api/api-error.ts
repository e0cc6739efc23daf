interface Details {
  /** The HTTP status, or 0 if no response arrived. */
  readonly status: number;
  readonly code: string;
  readonly param?: string | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly fields?: readonly InvalidField[];
}

export interface InvalidField {
  readonly param: string;
  readonly message: string;
}

interface ErrorBody {
  readonly message?: string;
  readonly code?: string;
  readonly param?: string | null;
  readonly request_id?: string;
  readonly details?: readonly InvalidField[];
}

/** An error envelope of the gateway, or a failure to reach the gateway. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Every invalid field, if there are several. */
  readonly fields: readonly InvalidField[];

  constructor(message: string, details: Details) {
    super(message);
    this.status = details.status;
    this.code = details.code;
    this.param = details.param ?? null;
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.fields = details.fields ?? [];
  }

  static of({ status, headers }: Response, body: unknown): ApiError {
    const error = (body as { error?: ErrorBody } | undefined)?.error;
    const retryAfter = headers.get('retry-after');
    return new ApiError(error?.message ?? `The gateway responded with status ${status}.`, {
      status,
      code: error?.code ?? 'unknown',
      param: error?.param,
      requestId: error?.request_id,
      fields: error?.details,
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
