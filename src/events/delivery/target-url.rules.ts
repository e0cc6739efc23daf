import { isIP } from 'node:net';
import { isGlobalUnicast } from './address.rules.js';

/** Characters. */
export const URL_LENGTH_MAX = 2000;

/**
 * The form that every accepted URL has. The URL parser would repair backslashes, a missing slash, and whitespace in the middle, so
 * they are refused here.
 */
export const URL_FORM = /^[hH][tT][tT][pP][sS]?:\/\/[^\s\\/\0][^\s\\\0]*$/;
export const URL_EXPECTED = 'a URL that begins with http:// or https://';

/**
 * What is wrong with a webhook's URL, so that it completes "it must be …"; null: nothing (D20). A host that is a name is
 * not resolved here: what it leads to is judged at each delivery. Every notation of an address counts, since the parser
 * of URLs makes one of them (`0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`).
 */
export function flawOfUrl(text: string, allowPrivate: boolean): string | null {
  if (!URL_FORM.test(text) || !URL.canParse(text)) return URL_EXPECTED;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'a URL without a user name and password';
  if (allowPrivate || isPublicTarget(hostOf(url))) return null;
  return 'a URL whose host is public: no private, local, shared, multicast or documentation address, no local name';
}

/** Without the brackets of IPv6 and the dot that ends a full name. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

/** For rows that many may read: a query may hold a token. */
export function withoutQuery(text: string): string {
  const end = text.search(/[?#]/);
  return end === -1 ? text : `${text.slice(0, end + 1)}…`;
}

const isPublicTarget = (host: string): boolean => (isIP(host) === 0 ? !isLocalName(host) : isGlobalUnicast(host));

const isLocalName = (name: string): boolean => !name.includes('.') || /\.(localhost|local)$/i.test(name);
