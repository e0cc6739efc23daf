import { BlockList, isIP } from 'node:net';

export const URL_LENGTH_MAX = 2000;

/** Rejects backslashes, missing slashes, and inner whitespace, which the URL parser would silently repair. */
export const URL_FORM = /^[hH][tT][tT][pP][sS]?:\/\/[^\s\\/\0][^\s\\\0]*$/;
export const URL_EXPECTED = 'a URL that starts with http:// or https://';

/**
 * Returns the requirement that a webhook URL violates, to complete "it must be …", or null (D20). Host names are not resolved
 * here, because each delivery checks the addresses. The URL parser normalizes other address notations, such as `0x7f.1`,
 * `2130706433`, and `[::ffff:127.0.0.1]`.
 */
export function urlProblem(text: string, allowPrivate: boolean): string | null {
  if (!URL_FORM.test(text) || !URL.canParse(text)) return URL_EXPECTED;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'a URL without a user name and password';
  if (allowPrivate || isPublicTarget(hostOf(url))) return null;
  return 'a URL with a public host, not a private, local, shared, multicast, or documentation address or a local name';
}

/**
 * Returns the origin of a URL, and `…` instead of the rest, which can contain the receiver's token. Only callers that can set
 * the URL see all of it. Audit rows and notifications contain this form.
 */
export function maskedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.origin === 'null') return '…';
  return url.pathname === '/' && url.search === '' && url.hash === '' ? `${url.origin}/` : `${url.origin}/…`;
}

/** Masks both URLs of a change in an audit row. A URL is null before it was set, and after it was deleted. */
export const maskedUrlChange = (change: { readonly old: unknown; readonly new: unknown }) => ({
  old: maskedOrNull(change.old),
  new: maskedOrNull(change.new),
});

const maskedOrNull = (url: unknown): string | null => (typeof url === 'string' ? maskedUrl(url) : null);

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const isPublicTarget = (host: string): boolean => (isIP(host) === 0 ? !isLocalName(host) : isGlobalUnicast(host));

const isLocalName = (name: string): boolean => !name.includes('.') || /\.(localhost|local)$/i.test(name);

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
