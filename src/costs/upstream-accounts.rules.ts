import type { Config } from '../platform/config/config.js';

/** A provider account. Prices, costs and exports name it as `cost_daily` does. */
export interface Account {
  /** The name of the upstream. */
  readonly name: string;
  readonly baseUrl: URL;
  /** The name of the provider in exports: that of the upstream or, for the single account, its host. */
  readonly label: string;
  readonly region: string | null;
}

/** The accounts of `GW_UPSTREAMS` in the order of the file, or both addresses of the single account. */
export function accountsOf({ upstreams, upstreamBaseUrl, upstreamMessagesBaseUrl }: Config): readonly Account[] {
  if (upstreams !== null)
    return upstreams.file.upstreams.map(({ name, baseUrl, region }) => ({ name, baseUrl, label: name, region }));
  const urls = { default: upstreamBaseUrl, messages: upstreamMessagesBaseUrl ?? upstreamBaseUrl };
  return Object.entries(urls).map(([name, url]) => {
    const baseUrl = new URL(url ?? UNKNOWN);
    return { name, baseUrl, label: baseUrl.hostname.endsWith('.invalid') ? name : baseUrl.hostname, region: null };
  });
}

export const accountNames = (config: Config): string[] => accountsOf(config).map(({ name }) => name);

/** The command line runs without a provider. */
const UNKNOWN = 'http://upstream.invalid';
