import { isIP, BlockList } from 'node:net';
import type { Config } from '../config/config.js';
import { OFF } from '../config/egress-proxy.kinds.js';
import { decoded } from '../config/secret-texts.rules.js';

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

type Settings = Pick<Config, 'egressProxy' | 'httpsProxy' | 'httpProxy' | 'noProxy'>;

export interface EgressProxy extends Target {
  /** The variable that sets it */
  readonly setting: 'GW_EGRESS_PROXY' | 'HTTPS_PROXY' | 'HTTP_PROXY';
  readonly secure: boolean;
  /** Value of `Proxy-Authorization`, or null. Nothing except a request to the proxy must contain it. */
  readonly authorization: string | null;
}

/**
 * Returns the proxy for a URL, or null for a direct connection. `GW_EGRESS_PROXY` replaces `HTTPS_PROXY` and `HTTP_PROXY`. Hosts
 * in `NO_PROXY` and loopback addresses are connected directly.
 */
export function proxyFor({ egressProxy, httpsProxy, httpProxy, noProxy }: Settings, url: URL): EgressProxy | null {
  if (egressProxy === OFF) return null;
  const secure = url.protocol === 'https:';
  const proxy = egressProxy ?? (secure ? httpsProxy : httpProxy);
  if (proxy === null) return null;
  const target = targetOf(url);
  if (isLoopback(target.host) || bypasses(noProxy, target)) return null;
  return proxyAt(new URL(proxy), egressProxy === null ? (secure ? 'HTTPS_PROXY' : 'HTTP_PROXY') : 'GW_EGRESS_PROXY');
}

function proxyAt(url: URL, setting: EgressProxy['setting']): EgressProxy {
  const credential = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    ...targetOf(url),
    setting,
    secure: url.protocol === 'https:',
    authorization: credential === ':' ? null : `Basic ${Buffer.from(credential).toString('base64')}`,
  };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A proxy cannot reach the loopback addresses of this machine. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version === 0) return /(^|\.)localhost\.?$/i.test(host);
  return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Returns whether an entry of `NO_PROXY` matches: `*`, a name with its subdomains, `*.name` or `.name`, an address, or a CIDR
 * range. Each can have a port. Addresses and ranges match addresses in URLs, because names are not resolved for this.
 */
function bypasses(entries: readonly string[], { host, port }: Target): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return entries.some((entry) => {
    const { pattern, port: only } = parsed(entry);
    return (only === null || only === port) && matches(pattern, name);
  });
}

/** An IPv6 address has a port only in brackets, or after the prefix of a range. */
function parsed(entry: string): { readonly pattern: string; readonly port: number | null } {
  const [, pattern = entry, port] = /^(\[[^\]]*\]|[^:]*|.*\/\d+):(\d+)$/.exec(entry) ?? [];
  const plain = pattern.toLowerCase().replace(/[[\]]/g, '').replace(/\.$/, '');
  return { pattern: plain, port: port === undefined ? null : Number(port) };
}

function matches(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  if (isIP(name) !== 0) return isInRange(name, pattern);
  if (pattern.startsWith('*.')) return name.endsWith(pattern.slice(1));
  const domain = pattern.replace(/^\./, '');
  return name === domain || name.endsWith(`.${domain}`);
}

function isInRange(address: string, pattern: string): boolean {
  const [first = '', prefix] = pattern.split('/');
  const version = isIP(first);
  if (version === 0) return false;
  const range = new BlockList();
  range.addSubnet(first, Number(prefix ?? (version === 4 ? 32 : 128)), version === 4 ? 'ipv4' : 'ipv6');
  return range.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
