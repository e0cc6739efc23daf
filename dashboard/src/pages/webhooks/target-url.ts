export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** Returns host and path. The query is left out, because it can contain a token. Viewers get `…` as the path. */
export function shortUrlOf(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/?([?#].*)?$/, '');
}

/** Returns an obvious problem with a URL, or null. The gateway validates the rest. */
export function urlProblem(url: string): string | null {
  const text = url.trim();
  if (text === '') return 'Enter the URL of your receiver.';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return 'Enter a complete URL that starts with https:// or http://.';
  return null;
}
