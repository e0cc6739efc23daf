const LOCK_NOT_AVAILABLE = '55P03';
/** Statement time limit, lock time limit, deadlock, serialization: told before a commit, on a connection that stays. */
const ROLLED_BACK: readonly unknown[] = ['57014', LOCK_NOT_AVAILABLE, '40P01', '40001'];

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** The server has told that nothing was stored. Any other error, one that ends the session too, may have come after the commit. */
export const wasRolledBack = (error: unknown): boolean => ROLLED_BACK.includes(codeOf(error));
