import { BlockList, isIP } from 'node:net';

/** The IPv4 ranges that are not global unicast, from the IANA registry of special-purpose addresses. Add new ranges here. */
const NOT_GLOBAL_IPV4: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Ranges that can be public: IPv4 (also as `::ffff:…`), IPv6 global unicast, and NAT64. All others are rejected. */
const ALLOWED = new BlockList();
ALLOWED.addSubnet('0.0.0.0', 0);
ALLOWED.addSubnet('2000::', 3, 'ipv6');
ALLOWED.addSubnet('64:ff9b::', 96, 'ipv6');

const REJECTED = new BlockList();
for (const [address, prefix] of NOT_GLOBAL_IPV4) {
  const hex = Buffer.from(address.split('.').map(Number)).toString('hex');
  REJECTED.addSubnet(address, prefix);
  REJECTED.addSubnet(`64:ff9b::${address}`, 96 + prefix, 'ipv6');
  REJECTED.addSubnet(`2002:${hex.slice(0, 4)}:${hex.slice(4)}::`, 16 + prefix, 'ipv6');
}
REJECTED.addSubnet('2001::', 23, 'ipv6');
REJECTED.addSubnet('2001:db8::', 32, 'ipv6');
REJECTED.addSubnet('3fff::', 20, 'ipv6');

/**
 * Returns false for an address with a zone, and for text that is not an address (D20).
 * @param address without brackets
 */
export function isGlobalUnicast(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return ALLOWED.check(address, family) && !REJECTED.check(address, family);
}
