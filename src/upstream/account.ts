import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.js';

/** The account's two addresses; `messages` is the same as `default` unless it was set apart. */
export type UpstreamName = 'default' | 'messages';

type Credentials = Pick<Config, 'upstreamApiKey' | 'upstreamMessagesApiKey'>;

/**
 * The account's credential as headers, a flat list of names and values; empty where the upstream wants none.
 * A key of the messages endpoint's own goes as `x-api-key` only: its vendor refuses it as Bearer.
 */
export function credentialHeaders(
  { upstreamApiKey, upstreamMessagesApiKey }: Credentials,
  upstream: UpstreamName,
): readonly string[] {
  if (upstream === 'messages' && upstreamMessagesApiKey !== null) return ['x-api-key', upstreamMessagesApiKey];
  if (upstreamApiKey === null) return [];
  const bearer = ['authorization', `Bearer ${upstreamApiKey}`];
  return upstream === 'messages' ? [...bearer, 'x-api-key', upstreamApiKey] : bearer;
}

/** What no answer may show. */
export const accountSecrets = ({ upstreamApiKey, upstreamMessagesApiKey }: Credentials): readonly string[] =>
  [upstreamApiKey, upstreamMessagesApiKey].filter((secret) => secret !== null);

/** Shorter ones are no secrets but words that an account without any was given; a head may hold them by chance. */
const SECRET_LENGTH_MIN = 16;

/** Whether a text of the upstream's tells one of `secrets`. */
export const tellsSecret = (text: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => secret.length >= SECRET_LENGTH_MIN && text.includes(secret));

/** Takes out of an answer's head each header that tells one of `secrets`: a provider may echo what it was sent. */
export function dropEchoes(headers: IncomingHttpHeaders, secrets: readonly string[]): void {
  for (const name in headers) {
    if (tellsSecret(String(headers[name]), secrets)) delete headers[name];
  }
}
