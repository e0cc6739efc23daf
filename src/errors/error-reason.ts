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
