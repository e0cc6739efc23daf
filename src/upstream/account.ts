import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.js';

/** The provider account's two addresses. `messages` equals `default` unless it is configured separately. */
export type UpstreamName = 'default' | 'messages';

type Credentials = Pick<Config, 'upstreamApiKey' | 'upstreamMessagesApiKey'>;

/**
 * Returns the account's credential as a flat list of header names and values. It is empty if no key is configured. A separate key
 * of the messages endpoint is sent only as `x-api-key`, because its provider rejects it as a bearer token.
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

/** Returns the account's keys, which no response must contain. */
export const accountSecrets = ({ upstreamApiKey, upstreamMessagesApiKey }: Credentials): readonly string[] =>
  [upstreamApiKey, upstreamMessagesApiKey].filter((secret) => secret !== null);

/** Shorter values are not treated as secrets. They are placeholders, which a response can contain by chance. */
const SECRET_LENGTH_MIN = 16;

export const tellsSecret = (text: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => secret.length >= SECRET_LENGTH_MIN && text.includes(secret));

/** Deletes response headers that contain one of `secrets`, because a provider can echo request headers. */
export function dropEchoes(headers: IncomingHttpHeaders, secrets: readonly string[]): void {
  for (const name in headers) {
    if (tellsSecret(String(headers[name]), secrets)) delete headers[name];
  }
}
