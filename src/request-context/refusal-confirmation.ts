import type { GatewayError } from '../errors/gateway-error.js';
import type { RequestContext } from './request-context.js';

/**
 * Confirms refusals of stages 3 to 5, which can be based on an outdated key. Before such a refusal is sent, the key is read
 * again after the request has arrived (D3). `pipeline/` implements it.
 */
export abstract class RefusalConfirmation {
  /**
   * Resolves to true if the current key allows the request. Puts the key's usage into the context.
   * @throws GatewayError the refusal for the current key, which can be a different one, or `service_unavailable` if the store
   *   does not respond within 2 s
   */
  abstract confirm(ctx: RequestContext, refusal: GatewayError): Promise<true>;
}
