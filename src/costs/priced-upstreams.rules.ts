import type { Config } from '../config/config.js';

/** The upstreams that prices can be set for, by name: those of `GW_UPSTREAMS`, or both addresses of the single account. */
export function pricedUpstreams(config: Config): ReadonlyMap<string, URL> {
  const { upstreams, upstreamBaseUrl, upstreamMessagesBaseUrl } = config;
  if (upstreams !== null) return new Map(upstreams.file.upstreams.map(({ name, baseUrl }) => [name, baseUrl]));
  const urls = { default: upstreamBaseUrl, messages: upstreamMessagesBaseUrl ?? upstreamBaseUrl };
  return new Map(Object.entries(urls).map(([name, url]) => [name, new URL(url ?? UNKNOWN)]));
}

/** The command line runs without a provider. */
const UNKNOWN = 'http://upstream.invalid';
