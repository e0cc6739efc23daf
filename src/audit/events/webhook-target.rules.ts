import { isIP } from 'node:net';
import { isGlobalUnicast } from './public-address.rules.js';

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
