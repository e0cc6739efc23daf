/** `skipped`: could not be looked at, because of something else that failed. */
export type Status = 'ok' | 'warn' | 'fail' | 'skipped';

/** One thing that was looked at. No part of it holds a secret. */
export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly message: string;
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, advice: null });
export const warn = (check: string, message: string, advice: string): Finding => ({
  ...{ check, status: 'warn', message, advice },
});
export const fail = (check: string, message: string, advice: string): Finding => ({
  ...{ check, status: 'fail', message, advice },
});
export const skipped = (check: string, because: string): Finding => ({
  ...{ check, status: 'skipped', message: because, advice: null },
});

/** Looks, and tells as a failure what is thrown meanwhile. */
export async function looked(check: string, advice: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return fail(check, error instanceof Error ? error.message : String(error), advice);
  }
}
