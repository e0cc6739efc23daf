// Admin views with their latency limits: ms at the 95th percentile, for ten million sample rows.
import { keyIdOf } from './fill.js';

/** Default views and single filters by ID, key, or model, over 30 days and from the first row. */
const AT_ONCE = 100;
/** Other filters, sorting by p95, a whole year, and distant pages. */
const SOON = 1000;
/** A year of the busiest model, and key statistics sorted by p95. */
const AT_LAST = 3000;
const DAY_MS = 86_400_000;

export function viewsOf(requestIds) {
  const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString();
  const busiest = `key_id=${keyIdOf(0)}`;
  const usual = `key_id=${keyIdOf(300)}`;
  const model = 'model=bench-model-0';
  const year = `since=${daysAgo(364)}`;
  const logs = (query = '') => `/admin/request-logs?${query}`;
  const audit = (query = '') => `/admin/audit-logs?${query}`;
  const keys = (query = '') => `/admin/api-keys?${query}`;
  const stats = (of, query = '') => `/admin/${of}-stats?${query}`;
  const all = `${busiest}&${model}&endpoint=/v1/bench/endpoint-0&status=429`;
  return [
    ['request logs', AT_ONCE, logs()],
    ['request logs of the busiest key', AT_ONCE, logs(busiest)],
    ['request logs of a key', AT_ONCE, logs(usual)],
    ['request logs of the busiest model', AT_ONCE, logs(model)],
    ['a request by its ID', AT_ONCE, (round) => logs(`request_id=${requestIds[round % requestIds.length]}`)],
    ['request logs of an endpoint', SOON, logs('endpoint=/v1/bench/endpoint-0')],
    ['request logs with a status', SOON, logs('status=429')],
    ['request logs of 30 days', SOON, logs(`since=${daysAgo(30)}`)],
    ['request logs, all filters, a year', SOON, logs(`${all}&${year}`)],
    ['request logs, row 100,000', SOON, logs('offset=100000')],
    ['request logs of the busiest key, row 100,000', SOON, logs(`${busiest}&offset=100000`)],
    ['request logs of the busiest model, row 100,000', SOON, logs(`${model}&offset=100000`)],
    ['audit log', AT_ONCE, audit()],
    ['audit log of a target', AT_ONCE, audit(`target_id=${keyIdOf(0)}`)],
    ['audit log of a key', AT_ONCE, `/admin/api-keys/${keyIdOf(0)}/audit`],
    ['audit log of an action', SOON, audit('action=api_key.updated')],
    ['audit log, target and action, a year', SOON, audit(`target_id=${keyIdOf(0)}&action=admin.login&${year}`)],
    ['keys', AT_ONCE, keys()],
    ['a key by its ID', AT_ONCE, `/admin/api-keys/${keyIdOf(0)}`],
    ['keys by part of the name', SOON, (round) => keys(`name=key%20${round + 10}`)],
    ['keys sorted by last use', SOON, keys('sort_by=last_used_at')],
    ['keys sorted by name, row 50,000', SOON, keys('sort_by=name&offset=50000')],
    ['suspended keys', SOON, keys('status=suspended')],
    ['expired keys', SOON, keys('expired=true')],
    ['usage', AT_ONCE, '/admin/usage'],
    ['usage of the busiest key', AT_ONCE, `/admin/usage?${busiest}`],
    ['usage of a year', SOON, `/admin/usage?from=${daysAgo(364).slice(0, 10)}`],
    ["a key's usage by day and month", AT_ONCE, `/admin/api-keys/${keyIdOf(0)}/usage`],
    ...['endpoint', 'model', 'key'].flatMap((of) => [
      [`${of} statistics`, AT_ONCE, stats(of)],
      [`${of} statistics of the busiest key`, AT_ONCE, stats(of, busiest)],
      [`${of} statistics of a key`, AT_ONCE, stats(of, usual)],
      [`${of} statistics of the busiest model`, AT_ONCE, stats(of, model)],
      [`${of} statistics of a key and a model`, SOON, stats(of, `${busiest}&${model}`)],
      [`${of} statistics, 500 rows`, SOON, stats(of, 'limit=500')],
      [`${of} statistics sorted by p95`, of === 'key' ? AT_LAST : SOON, stats(of, 'sort_by=p95_latency_ms')],
      [`${of} statistics, a year`, SOON, stats(of, year)],
      [`${of} statistics of the busiest key, a year`, SOON, stats(of, `${busiest}&${year}`)],
      [`${of} statistics of the busiest model, a year`, AT_LAST, stats(of, `${model}&${year}`)],
    ]),
  ].map(([name, promiseMs, path]) => ({ name, promiseMs, pathOf: typeof path === 'string' ? () => path : path }));
}
