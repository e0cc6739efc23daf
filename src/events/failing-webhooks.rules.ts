/**
 * A webhook at which everything has failed for so long is switched off (D20): from the first failure after a success.
 * As PostgreSQL and people read it.
 */
export const FAILING_FOR_MAX = '3 days';
