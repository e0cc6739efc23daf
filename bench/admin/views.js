// Admin views with their latency limits: ms at the 95th percentile, for ten million sample rows.
import { keyIdOf } from './fill.js';

/** Default views and single filters by ID, key, or model, over 30 days and from the first row. */
const FAST_MS = 100;
/** Other filters, sorting by p95, a whole year, and distant pages. */
const MEDIUM_MS = 1000;
/** A year of the busiest model, and key statistics sorted by p95. */
const SLOW_MS = 3000;
const DAY_MS = 86_400_000;

export function viewsOf(requestIds) {
  const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
  const busiest = `key_id=${keyIdOf(0)}`;
  const usual = `key_id=${keyIdOf(300)}`;
  const model = 'model=bench-model-0';
  const year = `since=${daysAgo(364)}`;
  const logs = (query = '') => `/admin/request-logs?${query}`;
  const requests = (query = '') => `/admin/requests?${query}`;
  const audit = (query = '') => `/admin/audit-logs?${query}`;
  const keys = (query = '') => `/admin/api-keys?${query}`;
  const costs = (query = '') => `/admin/costs?${query}`;
  const stats = (of, query = '') => `/admin/${of}-stats?${query}`;
  const all = `${busiest}&${model}&endpoint=/v1/bench/endpoint-0&status=429`;
  return [
    ['request logs', FAST_MS, logs()],
    ['request logs of the busiest key', FAST_MS, logs(busiest)],
    ['request logs of a key', FAST_MS, logs(usual)],
    ['request logs of the busiest model', FAST_MS, logs(model)],
    ['a request by its ID', FAST_MS, (round) => logs(`request_id=${requestIds[round % requestIds.length]}`)],
    ['request logs of an endpoint', MEDIUM_MS, logs('endpoint=/v1/bench/endpoint-0')],
    ['request logs with a status', MEDIUM_MS, logs('status=429')],
    ['request logs of 30 days', MEDIUM_MS, logs(`since=${daysAgo(30)}`)],
    ['request logs, all filters, a year', MEDIUM_MS, logs(`${all}&${year}`)],
    ['request logs, row 100,000', MEDIUM_MS, logs('offset=100000')],
    ['request logs of the busiest key, row 100,000', MEDIUM_MS, logs(`${busiest}&offset=100000`)],
    ['request logs of the busiest model, row 100,000', MEDIUM_MS, logs(`${model}&offset=100000`)],
    ['requests', FAST_MS, requests()],
    ['requests of the busiest key', FAST_MS, requests(busiest)],
    ['requests of a key', FAST_MS, requests(usual)],
    ['requests of the busiest model', FAST_MS, requests(model)],
    [
      'a request by the beginning of its ID',
      FAST_MS,
      (round) => requests(`request_id=${requestIds[round % requestIds.length].slice(0, 13)}`),
    ],
    ['failed requests', FAST_MS, requests('status=error')],
    ['requests with a 5xx status', MEDIUM_MS, requests('status=5xx')],
    ['requests with an error code', MEDIUM_MS, requests('error_code=rate_limit_exceeded')],
    [
      'requests with an error code and a status class',
      MEDIUM_MS,
      requests('error_code=rate_limit_exceeded&status=4xx'),
    ],
    ['requests from 5 s', MEDIUM_MS, requests('latency_min_ms=5000')],
    ['requests from one cent', MEDIUM_MS, requests('cost_min=0.01')],
    ['the slowest requests', MEDIUM_MS, requests('sort=latency')],
    ['the slowest requests of the busiest key', MEDIUM_MS, requests(`sort=latency&${busiest}`)],
    ['the most expensive requests of 7 days', MEDIUM_MS, requests(`sort=cost&since=${daysAgo(7)}`)],
    [
      'failed requests, key, model and endpoint, a year',
      MEDIUM_MS,
      requests(`${busiest}&${model}&endpoint=/v1/bench/endpoint-0&status=error&${year}`),
    ],
    ['audit log', FAST_MS, audit()],
    ['audit log of a target', FAST_MS, audit(`target_id=${keyIdOf(0)}`)],
    ['audit log of a key', FAST_MS, `/admin/api-keys/${keyIdOf(0)}/audit`],
    ['audit log of an action', MEDIUM_MS, audit('action=api_key.updated')],
    ['audit log, target and action, a year', MEDIUM_MS, audit(`target_id=${keyIdOf(0)}&action=admin.login&${year}`)],
    ['keys', FAST_MS, keys()],
    ['a key by its ID', FAST_MS, `/admin/api-keys/${keyIdOf(0)}`],
    ['keys by part of the name', MEDIUM_MS, (round) => keys(`name=key%20${round + 10}`)],
    ['keys sorted by last use', MEDIUM_MS, keys('sort_by=last_used_at')],
    ['keys sorted by name, row 50,000', MEDIUM_MS, keys('sort_by=name&offset=50000')],
    ['suspended keys', MEDIUM_MS, keys('status=suspended')],
    ['expired keys', MEDIUM_MS, keys('expired=true')],
    ['usage', FAST_MS, '/admin/usage'],
    ['usage of the busiest key', FAST_MS, `/admin/usage?${busiest}`],
    ['usage of a year', MEDIUM_MS, `/admin/usage?from=${daysAgo(364).slice(0, 10)}`],
    ['costs', FAST_MS, costs()],
    ['costs by key', FAST_MS, costs('group_by=key')],
    ['costs by day and model', FAST_MS, costs('group_by=day,model&limit=10')],
    ['costs of the busiest key by model', FAST_MS, costs(`group_by=model&${busiest}`)],
    ['costs of the busiest model by key', MEDIUM_MS, costs(`group_by=key&${model}`)],
    ['costs by key, a year', MEDIUM_MS, costs(`group_by=key&${year}`)],
    ['costs by day and key, a year', MEDIUM_MS, costs(`group_by=day,key&limit=10&${year}`)],
    ['costs of the busiest key by model, a year', MEDIUM_MS, costs(`group_by=model&${busiest}&${year}`)],
    ['costs of the busiest model by key, a year', MEDIUM_MS, costs(`group_by=key&${model}&${year}`)],
    ['costs of an endpoint by model, a year', MEDIUM_MS, costs(`group_by=model&endpoint=/v1/bench/endpoint-0&${year}`)],
    ["a key's usage by day and month", FAST_MS, `/admin/api-keys/${keyIdOf(0)}/usage`],
    ...['endpoint', 'model', 'key'].flatMap((of) => [
      [`${of} statistics`, FAST_MS, stats(of)],
      [`${of} statistics of the busiest key`, FAST_MS, stats(of, busiest)],
      [`${of} statistics of a key`, FAST_MS, stats(of, usual)],
      [`${of} statistics of the busiest model`, FAST_MS, stats(of, model)],
      [`${of} statistics of a key and a model`, MEDIUM_MS, stats(of, `${busiest}&${model}`)],
      [`${of} statistics, 500 rows`, MEDIUM_MS, stats(of, 'limit=500')],
      [`${of} statistics sorted by p95`, of === 'key' ? SLOW_MS : MEDIUM_MS, stats(of, 'sort_by=p95_latency_ms')],
      [
        `${of} statistics sorted by tokens or errors`,
        FAST_MS,
        stats(of, `sort_by=${of === 'endpoint' ? 'error_count' : 'total_tokens'}`),
      ],
      [`${of} statistics sorted by cost`, FAST_MS, stats(of, 'sort_by=cost')],
      [`${of} statistics sorted by cost, a year`, MEDIUM_MS, stats(of, `sort_by=cost&${year}`)],
      [`${of} statistics, a year`, MEDIUM_MS, stats(of, year)],
      [`${of} statistics of the busiest key, a year`, MEDIUM_MS, stats(of, `${busiest}&${year}`)],
      [`${of} statistics of the busiest model, a year`, SLOW_MS, stats(of, `${model}&${year}`)],
    ]),
  ].map(([name, promiseMs, path]) => ({ name, promiseMs, pathOf: typeof path === 'string' ? () => path : path }));
}
