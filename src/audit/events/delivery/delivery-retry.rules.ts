const REASONS = {
  address: 'the address is not public',
  name: 'the host name could not be resolved',
  connect_timeout: 'the connection timed out',
  refused: 'the connection was refused',
  proxy: 'the egress proxy is unreachable or refused the connection',
  tls: 'the TLS handshake failed',
  timeout: 'the request timed out',
  broken: 'the connection closed before a response',
  secret: 'the signing secret cannot be decrypted, check GW_SECRET_KEY',
} as const;

type FailureReason = keyof typeof REASONS;

/** Operators can see the message, so it contains nothing that came from outside. */
export class DeliveryFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    cause?: unknown,
  ) {
    super(`[no response: ${REASONS[reason]}]`, { cause });
  }

  static of(error: unknown): DeliveryFailure {
    if (error instanceof DeliveryFailure) return error;
    const { code } = error as NodeJS.ErrnoException;
    return new DeliveryFailure(REFUSED_CODES.has(code) ? 'refused' : 'broken', error);
  }
}

const REFUSED_CODES: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

const FIRST_DELAY_MS = 10_000;
const BACKOFF_FACTOR = 3;
const DELAY_MS_MAX = 4 * 3_600_000;
/** Retries end this long after the first attempt, which allows 11 or 12 of them. */
const ROUND_MS = 24 * 3_600_000;
/** The largest random addition to a delay, as a share of it. It spreads the retries of simultaneous failures. */
const JITTER = 0.1;

/**
 * Returns the delay of the next attempt, or null after the last.
 * @param failures at least 1
 * @param random from 0 to 1
 */
export function retryDelayMs(failures: number, sinceFirstMs: number, random: number): number | null {
  const delayMs = Math.min(FIRST_DELAY_MS * BACKOFF_FACTOR ** (failures - 1), DELAY_MS_MAX) * (1 + JITTER * random);
  return sinceFirstMs + delayMs > ROUND_MS ? null : Math.round(delayMs);
}

/** The body is ignored, and redirects are not followed (D20). */
export const isDelivered = (status: number): boolean => status >= 200 && status < 300;

const LENGTH_MAX = 500;
const CONTROL = /\p{Cc}+/gu;
const SECRET = /whsec_[A-Za-z0-9+/=_-]+/g;

/** Returns the start of a response body as one line of storable text, with signing secrets redacted. */
export function excerptOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes).replace(SECRET, '[redacted]').replace(CONTROL, ' ').trim();
  return text.slice(0, LENGTH_MAX).toWellFormed();
}
