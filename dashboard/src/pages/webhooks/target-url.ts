/** Host and port of a webhook's URL; the URL itself where it is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Host and path, by which one is told from another at the same host. Not the query: it may hold a token. */
export function shortUrlOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : `${host}${pathname}`;
}

/** Why this cannot be a target, as far as it can be told here; null: the gateway judges. */
export function urlTrouble(url: string): string | null {
  const text = url.trim();
  if (text === '') return 'Enter the address of your receiver.';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return 'Enter a whole address that begins with https:// or http://.';
  return null;
}
