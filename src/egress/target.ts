import { isIP } from 'node:net';

/** The other end of a TCP connection. */
export interface Target {
  /** A name or an address, without brackets */
  readonly host: string;
  readonly port: number;
}

export const targetOf = ({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): Target => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
});

/** `host:port` for messages and requests, with brackets around an IPv6 address */
export const placeOf = ({ host, port }: Target): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
