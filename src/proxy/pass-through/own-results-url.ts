import type { ResponseConverter } from '../forward-plan.js';

/** The provider's URL of a message batch's results, without its end. */
const RESULTS_URL = /("results_url"\s*:\s*)"[^"\\]*(\/messages\/batches\/[A-Za-z0-9._:-]+\/results)"/g;

/**
 * Replaces the provider's URL of a batch's results by the gateway's path. Anthropic's SDKs request that URL with the client's key:
 * the provider would get a gateway key, and the client 401. The SDKs resolve a path against their own base URL.
 */
export const OWN_RESULTS_URL: ResponseConverter = {
  buffered: (body) => [Buffer.from(body.toString('latin1').replace(RESULTS_URL, '$1"/v1$2"'), 'latin1')],
  stream: () => ({ push: (chunk) => [chunk], end: () => [] }),
};
