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
