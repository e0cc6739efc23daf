import { dollars } from '../../parts/dollars';
import { count, latency, percent, plural } from '../../parts/numbers';
import type { Upstream } from './upstream-types';

const API_LABELS = { openai: 'OpenAI', anthropic: 'Anthropic' } as const;

export const apisInWords = ({ apis }: Upstream): string => apis.map((api) => API_LABELS[api]).join(', ');

export const shareInWords = ({ share }: Upstream): string => `${Math.round(share * 100)}%`;

export const latencyInWords = ({ latency_ms }: Upstream): string => (latency_ms === null ? '–' : latency(latency_ms));

export const connectionsInWords = ({ connections, waiting }: Upstream): string => {
  const open = `${count(connections)} ${plural(connections, 'connection')}`;
  return waiting === 0 ? open : `${open}, ${count(waiting)} waiting`;
};

export const failoversInWords = ({ failovers }: Upstream): string =>
  `${count(failovers)} ${plural(failovers, 'failover')}`;

export const fallbacksInWords = ({ fallbacks }: Upstream): string =>
  `${count(fallbacks.context_length)} for the context length, ${count(fallbacks.content_filter)} for the content filter`;

/** The hit rate of the provider's prompt cache, from 0 to 1. null before the first input token. */
export const hitRateOf = ({ cached_tokens, input_tokens }: Upstream): number | null =>
  input_tokens === 0 ? null : cached_tokens / input_tokens;

export const hitRateInWords = (upstream: Upstream): string => {
  const rate = hitRateOf(upstream);
  return percent(rate === null ? null : rate * 100);
};

export const cacheInWords = (upstream: Upstream): string =>
  `${hitRateInWords(upstream)}, ${count(upstream.cached_tokens)} tokens, saved ${dollars(upstream.cache_saved)}`;

export const placeInWords = ({ region, tags }: Upstream): string =>
  [...(region === null ? [] : [region]), ...tags].join(', ');

export function lastErrorInWords({ last_error: error }: Upstream): string {
  if (error === null) return 'none';
  const about = [error.status === null ? [] : [`status ${error.status}`], error.model ?? []].flat().join(', ');
  return about === '' ? error.message : `${error.message} (${about})`;
}
