/**
 * Statuses of a provider that `GW_UPSTREAM_ERRORS=relay` forwards. They are about the caller's request. 401, 402 and 403 concern
 * the operator's account, so they become 502.
 */
export const RELAYED_STATUSES: ReadonlySet<number> = new Set([400, 404, 408, 409, 413, 422, 429, 529]);
