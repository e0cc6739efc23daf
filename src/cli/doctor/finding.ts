/** A check is `skipped` if it needs another one that did not succeed. */
export type Status = 'ok' | 'warn' | 'fail' | 'skipped';

/** Findings are printed, so they must not contain a secret. */
export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  readonly advice: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, advice: null });
export const warn = (check: string, message: string, advice: string): Finding => ({
  check,
  status: 'warn',
  message,
  advice,
});
export const fail = (check: string, message: string, advice: string): Finding => ({
  check,
  status: 'fail',
  message,
  advice,
});
export const skipped = (check: string, because: string): Finding => ({
  check,
  status: 'skipped',
  message: because,
  advice: null,
});

/** Turns an error of a check into a failure. */
export async function checked(check: string, advice: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return fail(check, error instanceof Error ? error.message : String(error), advice);
  }
}
