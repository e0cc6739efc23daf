const CREDENTIALS: readonly RegExp[] = [
  // Providers mask the middle of a key with asterisks; the rest is redacted too.
  /(?<![A-Za-z])sk-[\w*-]{8,}|sk-[\w*-]{16,}/g,
  /admin_gw_[\w.~+/*-]{4,}=*/g,
  /AIza[\w*-]{8,}/g,
  /(?:xai-|gsk_)[\w*-]{8,}/g,
  // JSON web tokens, including truncated ones. Requiring a dot would cost a search from each `eyJ` in a long run without one.
  /eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g,
  /(?<=bearer[\s:="']{1,4})[\w.~+/=*-]{6,}/gi,
  /(?<=basic\s{1,4})[\w+/=*-]{8,}/gi,
];

/** Matches wherever one of them matches. Most texts have no credential, and are searched once instead of seven times. */
const ANY = new RegExp(CREDENTIALS.map(({ source }) => source).join('|'), 'i');

export const REDACTED = '[redacted]';

/** Replaces `secrets`, and everything that looks like a credential, with `[redacted]` (D5), or with the placeholder for its length. */
export function redactCredentials(
  text: string,
  secrets: readonly string[] = [],
  placeholder: (length: number) => string = () => REDACTED,
): string {
  let redacted = text;
  for (const secret of secrets) redacted = redacted.replaceAll(secret, () => placeholder(secret.length));
  if (!ANY.test(redacted)) return redacted;
  for (const pattern of CREDENTIALS) redacted = redacted.replace(pattern, (match) => placeholder(match.length));
  return redacted;
}
