import type { GatewayError } from '../errors/gateway-error.js';
import type { RequestContext } from './request-context.js';

/**
 * A refusal at stages 3 to 5 may rest on a key that has changed since it was cached, so it is given only after a look
 * that began after the request arrived (D3). The guards of those stages hand theirs in here; `pipeline/` answers.
 */
export abstract class RefusalConfirmation {
  /**
   * Throws the refusal that holds by the key as it is now (it may be another one), the figures of the look left in the
   * context; resolves true where the key as it is now lets the request through.
   * @throws GatewayError `service_unavailable` when the store cannot be asked within 2 s
   */
  abstract confirm(ctx: RequestContext, refusal: GatewayError): Promise<true>;
}
