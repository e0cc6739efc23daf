import { GatewayError, type EnvelopeForm } from './gateway-error.js';

/** An error response of the provider that the client gets with its own status and body (`GW_UPSTREAM_ERRORS=relay`). */
export class RelayedError extends GatewayError {
  /**
   * @param relayed status of the provider's response, and its body as JSON text without credentials. With a body of null
   *   the client gets the gateway's envelope.
   * @param message for the envelope and the log
   * @param headers lower-case names
   */
  constructor(
    private readonly relayed: { readonly status: number; readonly body: string | null },
    message: string,
    headers: Readonly<Record<string, string>>,
  ) {
    super('upstream_error', message, { headers });
  }

  override get status(): number {
    return this.relayed.status;
  }

  override envelope(requestId: string, form: EnvelopeForm = 'gateway'): string {
    return this.relayed.body ?? super.envelope(requestId, form);
  }
}
