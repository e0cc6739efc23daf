import type { SendFailure } from '../upstream-exchange.js';

/** "Too Many Requests", "Service Unavailable" and Anthropic's "overloaded": the provider has not processed the request. */
const REJECTED: ReadonlySet<number> = new Set([429, 503, 529]);
/** The provider might have processed the request, and might charge for it. */
const MAYBE_PROCESSED: ReadonlySet<number> = new Set([500, 502, 504]);

export const isRejection = (status: number): boolean => REJECTED.has(status);

interface Allowed {
  /** The operator allows resending requests that the provider might have processed. */
  readonly repeatSent: boolean;
  readonly ownerUnknown: boolean;
}

/** Whether another upstream should get the request after this status. */
export const failsOverAfterStatus = (status: number, { repeatSent, ownerUnknown }: Allowed): boolean =>
  isRejection(status) || (repeatSent && MAYBE_PROCESSED.has(status)) || (ownerUnknown && status === 404);

/** Whether another upstream should get a request that failed without a response. */
export function failsOverAfterFailure({ reason, reached }: SendFailure, repeatSent: boolean): boolean {
  // The request itself is at fault.
  if (reason === 'internal') return false;
  return !reached || repeatSent;
}
