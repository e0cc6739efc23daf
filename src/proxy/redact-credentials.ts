/** In the order in which they are looked for. */
const CREDENTIALS: readonly RegExp[] = [
  // Providers' and our own keys. Providers mask the middle with asterisks: what they left is hidden too.
  /(?<![A-Za-z])sk-[\w*-]{8,}|sk-[\w*-]{16,}/g,
  /admin_gw_[\w*-]{4,}/g,
  /AIza[\w*-]{8,}/g,
  /(?:xai-|gsk_)[\w*-]{8,}/g,
  // JSON web tokens, cut ones too: were a dot demanded, a long run without one would be searched anew from each `eyJ` in it.
  /eyJ[\w-]{8,}(?:\.[\w-]*){0,4}/g,
  /(?<=bearer[\s:="']{1,4})[\w.~+/=*-]{6,}/gi,
  /(?<=basic\s{1,4})[\w+/=*-]{8,}/gi,
];

/**
 * `text` with everything that looks like a credential replaced by `[redacted]` (D5).
 * @param secrets to be hidden in any case, whatever they look like
 */
export function redactCredentials(text: string, secrets: readonly string[] = []): string {
  let redacted = text;
  for (const secret of secrets) redacted = redacted.replaceAll(secret, '[redacted]');
  for (const pattern of CREDENTIALS) redacted = redacted.replace(pattern, '[redacted]');
  return redacted;
}
