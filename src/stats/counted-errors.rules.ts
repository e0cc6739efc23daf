/**
 * Whether a request counts under `errors` (D33): answered 4xx or 5xx. Not one whose client went away: it was
 * answered nothing.
 * @param status what the client was answered
 */
export const countsAsError = (status: number, abandoned: boolean): boolean => status >= 400 && !abandoned;
