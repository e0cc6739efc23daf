import { GatewayError, type EnvelopeForm } from './gateway-error.js';

/** A provider's error response that the gateway forwards with its status and body (`GW_UPSTREAM_ERRORS=relay`). */
export class RelayedError extends GatewayError {
  /** `relayed.body` is JSON with credentials removed. If it is null, the client gets the gateway's envelope. */
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
