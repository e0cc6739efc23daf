/**
 * Whether a request counts under `errors` (D33): its status is 4xx or 5xx, or it failed after a head with a status of success.
 * A request whose client left before the head does not count.
 * @param status The response status
 * @param errorCode The error that ended the request
 */
export const countsAsError = (status: number, abandoned: boolean, errorCode: string | null): boolean =>
  !abandoned && (status >= 400 || errorCode !== null);
