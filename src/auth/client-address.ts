import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
/** Some proxies append the client's port, which differs for each connection. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+)\]):\d+$/i;

/**
 * Returns the client's address without a port, as a trusted proxy reports it. An IPv4-mapped IPv6 address is returned as IPv4.
 * Null if the connection is closed.
 */
export const clientAddressOf = (request: FastifyRequest): string | null =>
  // Fastify's type omits undefined, which `ip` is on a closed connection.
  (request.ip as string | undefined)?.replace(WITH_PORT, '$1$2').replace(MAPPED_IPV4, '') ?? null;

/** Warns once per process about an untrusted proxy that forwards client addresses (D19). */
@Injectable()
export class UntrustedProxyWarning {
  private readonly logger = new Logger('Proxy');
  private given = false;

  look(request: FastifyRequest): void {
    if (this.given || request.headers['x-forwarded-for'] === undefined) return;
    // A trusted proxy results in at least two addresses: its own and the one that it forwards.
    if (request.ips !== undefined && request.ips.length > 1) return;
    this.given = true;
    this.logger.warn(
      `Received X-Forwarded-For from ${clientAddressOf(request)}, which GW_TRUST_PROXY does not trust. ` +
        'Sign-in limits and the audit log use that address for all clients behind it. ' +
        'If it is your proxy, add it to GW_TRUST_PROXY.',
    );
  }
}
