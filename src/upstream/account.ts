import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.js';
import { SECRET_LENGTH_MIN } from '../config/secret-texts.rules.js';

/** The provider account's two addresses, which are equal unless `messages` is configured separately. */
export type UpstreamName = 'default' | 'messages';

export type Credentials = Pick<Config, 'upstreamApiKey' | 'upstreamMessagesApiKey'>;

/** A separate key of the messages endpoint is sent only as `x-api-key`. Its provider rejects it as a bearer token. */
export function credentialHeaders(
  { upstreamApiKey, upstreamMessagesApiKey }: Credentials,
  upstream: UpstreamName,
): readonly string[] {
  if (upstream === 'messages' && upstreamMessagesApiKey !== null) return ['x-api-key', upstreamMessagesApiKey];
  if (upstreamApiKey === null) return [];
  const bearer = ['authorization', `Bearer ${upstreamApiKey}`];
  return upstream === 'messages' ? [...bearer, 'x-api-key', upstreamApiKey] : bearer;
}

/** Responses must not contain these. */
export const accountSecrets = ({ upstreamApiKey, upstreamMessagesApiKey }: Credentials): readonly string[] =>
  [upstreamApiKey, upstreamMessagesApiKey].filter((secret) => secret !== null);

/** Shorter values are placeholders, which a response can contain by chance. Production rejects them. */
export const containsSecret = (text: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => secret.length >= SECRET_LENGTH_MIN && text.includes(secret));

/** Deletes response headers that contain a secret, because a provider can echo request headers. */
export function dropEchoes(headers: IncomingHttpHeaders, secrets: readonly string[]): void {
  for (const name in headers) {
    if (containsSecret(String(headers[name]), secrets)) delete headers[name];
  }
}
