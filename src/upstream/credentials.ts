import type { Config } from '../platform/config/config.js';
import { SECRET_LENGTH_MIN } from '../platform/config/secret-texts.rules.js';
import type { Api, UpstreamSpec } from '../platform/config/upstreams/upstreams-file.js';
import type { AccountHeaders } from './upstream.js';

/** The credentials without `GW_UPSTREAMS`. */
export type Credentials = Pick<Config, 'upstreamApiKey' | 'upstreamMessagesApiKey'>;

/** Headers of the account without `GW_UPSTREAMS`. */
export const accountHeaders = (account: Credentials): AccountHeaders => ({
  openai: credentialHeaders(account, 'openai'),
  anthropic: credentialHeaders(account, 'anthropic'),
});

/** A separate key of the messages endpoint is sent only as `x-api-key`. Its provider rejects it as a bearer token. */
function credentialHeaders({ upstreamApiKey, upstreamMessagesApiKey }: Credentials, api: Api): readonly string[] {
  if (api === 'anthropic' && upstreamMessagesApiKey !== null) return ['x-api-key', upstreamMessagesApiKey];
  if (upstreamApiKey === null) return [];
  const bearer = ['authorization', `Bearer ${upstreamApiKey}`];
  return api === 'anthropic' ? [...bearer, 'x-api-key', upstreamApiKey] : bearer;
}

/** Headers of an upstream of `GW_UPSTREAMS`, whose credential has the form that its API expects, unless the file names a header. */
export const specHeaders = (spec: UpstreamSpec): AccountHeaders => ({
  openai: [...spec.headers, ...specCredential(spec, 'authorization')],
  anthropic: [...spec.headers, ...specCredential(spec, 'x-api-key')],
});

function specCredential({ credential }: UpstreamSpec, usual: 'authorization' | 'x-api-key'): string[] {
  if (credential === null) return [];
  const header = credential.header ?? usual;
  return [header, header === 'authorization' ? `Bearer ${credential.value}` : credential.value];
}

/** The secrets in the headers of `accountHeaders`. Responses must not contain them. */
export const accountSecrets = ({ upstreamApiKey, upstreamMessagesApiKey }: Credentials): readonly string[] =>
  [upstreamApiKey, upstreamMessagesApiKey].filter((secret) => secret !== null);

/** Shorter values are placeholders, which a response can contain by chance. Production rejects them. */
export const containsSecret = (text: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => secret.length >= SECRET_LENGTH_MIN && text.includes(secret));
