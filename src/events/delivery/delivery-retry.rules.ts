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

/** Until the first retry (D20). */
const FIRST_MS = 10_000;
const FACTOR = 3;
const PAUSE_MS_MAX = 4 * 3_600_000;
/** How long one delivery is tried, from its first attempt: 11 or 12 retries. */
const ROUND_MS = 24 * 3_600_000;
/** Added at random up to this share, so that what failed at once does not come back at once. */
const JITTER = 0.1;

/**
 * When to try again, in milliseconds from now; null: not any more.
 * @param failures of this round, the last one counted: 1 or more
 * @param sinceFirstMs from the first attempt of the round until now
 * @param random 0 to 1
 */
export function pauseAfter(failures: number, sinceFirstMs: number, random: number): number | null {
  const pauseMs = Math.min(FIRST_MS * FACTOR ** (failures - 1), PAUSE_MS_MAX) * (1 + JITTER * random);
  return sinceFirstMs + pauseMs > ROUND_MS ? null : Math.round(pauseMs);
}

/** Whether a webhook has taken a message, by the status of its answer; the body says nothing, and no redirect is followed (D20). */
export const isDelivered = (status: number): boolean => status >= 200 && status < 300;

/** Characters, those beyond the basic plane counting as two. */
const LENGTH_MAX = 500;
const CONTROL = /\p{Cc}+/gu;
const SECRET = /whsec_[A-Za-z0-9+/=_-]+/g;

/** The beginning of what a receiver answered as one line of text that can be stored, without a secret it echoes. */
export function excerptOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes).replace(SECRET, '[redacted]').replace(CONTROL, ' ').trim();
  return text.slice(0, LENGTH_MAX).toWellFormed();
}
