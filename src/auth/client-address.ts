import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
/** Some proxies append the client's port, which differs per connection. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+)\]):\d+$/i;

/** Returns the address as a trusted proxy reports it, without a port, or null if the connection is closed. */
export const clientAddressOf = (request: FastifyRequest): string | null =>
  // Fastify's type omits undefined, which `ip` is on a closed connection.
  (request.ip as string | undefined)?.replace(WITH_PORT, '$1$2').replace(MAPPED_IPV4, '') ?? null;

/** Warns once per process about an untrusted proxy that forwards client addresses (D19). */
@Injectable()
export class UntrustedProxyWarning {
  private readonly logger = new Logger('Proxy');
  private warned = false;

  warnIfUntrusted(request: FastifyRequest): void {
    if (this.warned || request.headers['x-forwarded-for'] === undefined) return;
    // A trusted proxy appends the address that it forwards to its own, which makes more than one.
    if (request.ips !== undefined && request.ips.length > 1) return;
    this.warned = true;
    this.logger.warn(
      `Received X-Forwarded-For from ${clientAddressOf(request)}, which GW_TRUST_PROXY does not trust. ` +
        'Sign-in limits and the audit log use that address for all clients behind it. ' +
        'If it is your proxy, add it to GW_TRUST_PROXY.',
    );
  }
}
