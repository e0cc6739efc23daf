/** Why an upstream request failed. `status`: the response was outside 2xx; `error_object`: a 2xx response contained an error. */
export const FAILURE_REASONS = [
  'connect',
  'breaker',
  'no_connection',
  'head_timeout',
  'idle_timeout',
  'reset',
  'protocol',
  'encoding',
  'internal',
  'status',
  'error_object',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Failed requests to one upstream address since the start of the process. */
export type FailureCounts = Record<FailureReason, number>;

export const noFailures = (): FailureCounts =>
  Object.fromEntries(FAILURE_REASONS.map((reason) => [reason, 0])) as FailureCounts;
