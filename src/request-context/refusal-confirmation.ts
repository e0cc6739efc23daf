import type { GatewayError } from '../errors/gateway-error.js';
import type { RequestContext } from './request-context.js';

/** Confirms refusals of stages 3 to 5. The key can be outdated, so it is read again before such a refusal is sent (D3). */
export abstract class RefusalConfirmation {
  /**
   * Resolves to true if the current key allows the request. Puts the key's usage into the context.
   * @throws GatewayError the refusal for the current key, or `service_unavailable` if the store does not respond within 2 s
   */
  abstract confirm(ctx: RequestContext, refusal: GatewayError): Promise<true>;
}
