import { BlockList, isIP } from 'node:net';
import type { Target } from './target.js';

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
export function bypasses(entries: readonly string[], { host, port }: Target): boolean {
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
