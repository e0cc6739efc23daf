/**
 * Which addresses are somebody's on the public internet (D20). What is not known to be global unicast is refused: a new
 * special range of IPv6 is outside 2000::/3, one of IPv4 would have to be added here.
 */

/** IPv4 that is not global unicast, by the IANA registry of special-purpose addresses: first address, prefix length. */
const IPV4_REFUSED: readonly (readonly [string, number])[] = [
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

/** The part of IPv6 that is given out as global unicast, and what of it is special. */
const IPV6_GLOBAL: readonly [string, number] = ['2000::', 3];
const IPV6_REFUSED: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

/** IPv6 that stands for an IPv4 address, and where in its eight groups that begins: mapped, NAT64, 6to4. */
const IPV4_INSIDE: readonly (readonly [string, number, number])[] = [
  ['::ffff:0:0', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
];

/** @param address as a resolver or a socket tells it, without brackets. False for what is no address. */
export function isGlobalUnicast(address: string): boolean {
  const ipv4 = ipv4Of(address);
  if (ipv4 !== null) return isGlobalIpv4(ipv4);
  const groups = ipv6Of(address);
  if (groups === null) return false;
  const inside = IPV4_INSIDE.find(([prefix, bits]) => isIn(groups, prefix, bits));
  if (inside !== undefined) return isGlobalIpv4(groups.slice(inside[2], inside[2] + 2));
  return isIn(groups, ...IPV6_GLOBAL) && !IPV6_REFUSED.some(([prefix, bits]) => isIn(groups, prefix, bits));
}

const isGlobalIpv4 = (groups: readonly number[]): boolean =>
  !IPV4_REFUSED.some(([prefix, bits]) => sameBits(groups, ipv4Of(prefix)!, bits));

const isIn = (groups: readonly number[], prefix: string, bits: number): boolean =>
  sameBits(groups, ipv6Of(prefix)!, bits);

/** Whether two addresses, as groups of 16 bits, begin with the same `bits` bits. */
function sameBits(one: readonly number[], other: readonly number[], bits: number): boolean {
  return one.every((group, index) => {
    const taken = Math.min(Math.max(bits - 16 * index, 0), 16);
    return group >> (16 - taken) === other[index]! >> (16 - taken);
  });
}

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;

/** The two groups of a dotted address; null: it is none. */
function ipv4Of(text: string): number[] | null {
  const bytes = IPV4.exec(text)?.slice(1).map(Number);
  if (bytes === undefined || bytes.some((byte) => byte > 255)) return null;
  const [a, b, c, d] = bytes as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
}

/** The eight groups; null: it is no IPv6 address, or one with a zone. */
function ipv6Of(text: string): number[] | null {
  const dotted = /^(.*:)([\d.]+)$/.exec(text);
  const tail = dotted?.[2]?.includes('.') ? ipv4Of(dotted[2]) : [];
  if (tail === null) return null;
  const written = tail.length > 0 ? `${dotted![1]}${tail.map((group) => group.toString(16)).join(':')}` : text;
  const halves = written.split('::');
  if (halves.length > 2) return null;
  const [head, rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head!.length - rest.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head!, ...Array<string>(halves.length === 1 ? 0 : missing).fill('0'), ...rest];
  return groups.every((group) => GROUP.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : null;
}
