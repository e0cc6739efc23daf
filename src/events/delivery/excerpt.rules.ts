/** Characters, those beyond the basic plane counting as two. */
const LENGTH_MAX = 500;
const CONTROL = /\p{Cc}+/gu;
const SECRET = /whsec_[A-Za-z0-9+/=_-]+/g;

/** The beginning of what a receiver answered as one line of text that can be stored, without a secret it echoes. */
export function excerptOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes).replace(SECRET, '[redacted]').replace(CONTROL, ' ').trim();
  return text.slice(0, LENGTH_MAX).toWellFormed();
}
