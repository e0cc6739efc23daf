import { useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { pointOf, spansOf, type ChartPoint } from '../../parts/chart-series';
import { daysBetween, momentsOf, type DayRange } from '../../parts/period';

/** Each span is one request to the gateway. They run one after another, because they are the least urgent requests of the page. */
const SPANS_MAX = 10;
const ENDPOINTS_MAX = 100;
const FRESH_MS = 300_000;

/** Reads the p95 latency of an endpoint in milliseconds, oldest first. 0 means no sampled request. */
export const useLatencyBySpan = (days: DayRange, endpoint: string | undefined) =>
  useQuery({
    queryKey: ['statistics', 'latency', days, endpoint],
    queryFn: async ({ signal }) => {
      const points: ChartPoint[] = [];
      const spans = spansOf(days, Math.ceil(daysBetween(days.from, days.to) / SPANS_MAX));
      for (const span of spans) points.push(pointOf(span, { p95: await p95Of(span, endpoint, signal) }));
      return points;
    },
    enabled: endpoint !== undefined && days.from !== days.to,
    staleTime: FRESH_MS,
  });

async function p95Of({ from, to }: DayRange, endpoint: string | undefined, signal: AbortSignal): Promise<number> {
  const query = { ...momentsOf({ kind: 'dates', from, to }), limit: ENDPOINTS_MAX };
  const { endpoints } = await responseBodyOf(api.GET('/admin/endpoint-stats', { params: { query }, signal }));
  return endpoints.find((row) => row.endpoint === endpoint)?.p95_latency_ms ?? 0;
}
