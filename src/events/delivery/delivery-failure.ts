/** Why there was no answer; what is shown in the place of the answer's text. */
const REASONS = {
  address: 'the address is not a public one',
  name: 'the name could not be resolved',
  connect_timeout: 'no connection in time',
  refused: 'the connection was refused',
  tls: 'no secure connection could be made',
  timeout: 'no answer in time',
  broken: 'the connection broke before an answer',
  secret: 'the signing secret cannot be read: has GW_SECRET_KEY changed?',
} as const;

type FailureReason = keyof typeof REASONS;

/** An attempt that got no answer. Its message may be shown to operators: it holds nothing that came from outside. */
export class DeliveryFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    cause?: unknown,
  ) {
    super(`[no answer: ${REASONS[reason]}]`, { cause });
  }

  /** What went wrong, whoever says so. */
  static of(error: unknown): DeliveryFailure {
    if (error instanceof DeliveryFailure) return error;
    const { code } = error as NodeJS.ErrnoException;
    return new DeliveryFailure(REFUSED.has(code) ? 'refused' : 'broken', error);
  }
}

const REFUSED: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);
