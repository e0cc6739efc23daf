import { createHash } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';

/** Guesses at passwords that are looked at in a window; the next one is refused (D19). */
const GUESSES_MAX = 5;
export const WINDOW_MS = 15 * 60_000;

/** A /64 is what one household, or one attacker, has for itself: four groups of the eight. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
/** Longer than any address: what a proxy hands on may be anything. */
const ADDRESS_LENGTH_MAX = 64;
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * What guesses are counted by. The e-mail is not kept as it is: people type passwords into that field.
 * @param emailKey as `emailKeyOf` makes it
 */
export const emailSubject = (emailKey: string) => `email:${createHash('sha256').update(emailKey).digest('base64url')}`;
export const operatorSubject = (operatorId: string) => `operator:${operatorId}`;
/** An IPv4 address by itself, also where it comes as IPv6; an IPv6 address by its /64. */
export const networkSubject = (ip: string) => `network:${networkOf(ip)}`;

/**
 * How long until one more guess is let in; 0: now.
 * @param guessedAtMs when the guesses about one subject were made, in any order
 */
export function waitMs(guessedAtMs: readonly number[], nowMs: number): number {
  const decisive = guessedAtMs.toSorted((a, b) => b - a)[GUESSES_MAX - 1];
  return decisive === undefined ? 0 : Math.max(0, decisive + WINDOW_MS - nowMs);
}

function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip.slice(0, ADDRESS_LENGTH_MAX);
  // One way of writing for each address, at most one `::` in it.
  const { address } = new SocketAddress({ address: ip, family: 'ipv6' });
  const ipv4 = IPV4_IN_IPV6.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
