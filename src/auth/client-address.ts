import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
/** Some proxies tell the caller's port too, a new one for each connection. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+)\]):\d+$/i;

/**
 * Address of the caller, a trusted proxy's word heeded, without a port; an IPv4 address is written as one even where it came
 * in over IPv6. null: the connection is gone.
 */
export const clientAddressOf = (request: FastifyRequest): string | null =>
  // Typed as always there, yet a closed connection has none.
  (request.ip as string | undefined)?.replace(WITH_PORT, '$1$2').replace(MAPPED_IPV4, '') ?? null;

/** Tells the operator, once in a process, that a proxy is in front whose word about addresses is not believed (D19). */
@Injectable()
export class UntrustedProxyWarning {
  private readonly logger = new Logger('Proxy');
  private given = false;

  look(request: FastifyRequest): void {
    if (this.given || request.headers['x-forwarded-for'] === undefined) return;
    // With a trusted peer there are two addresses at the least: its own and the one that it tells of.
    if (request.ips !== undefined && request.ips.length > 1) return;
    this.given = true;
    this.logger.warn(
      `X-Forwarded-For came from ${clientAddressOf(request)}, which GW_TRUST_PROXY does not trust: ` +
        'sign-in limits and the audit log go by that address, shared by everybody behind it',
    );
  }
}
