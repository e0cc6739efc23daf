/**
 * Whether a request counts under `errors` (D33): its status is 4xx or 5xx, or its 200 response contained an error object.
 * A request whose client left before the head does not count.
 * @param status Status of the response.
 * @param errorReported The provider reported an error in a response with a status of success.
 */
export const countsAsError = (status: number, abandoned: boolean, errorReported: boolean): boolean =>
  !abandoned && (status >= 400 || errorReported);
