import { expect } from '@jest/globals';
import type { TestGateway } from './gateway.js';

/** Query strings that all three statistics routes reject, and the invalid parameter. */
const WRONG: readonly (readonly [query: string, param: string])[] = [
  ...['soon', '2026-02-30', '2026-01-01T25:00', '', '1767225600', '2026-1-1'].flatMap(
    (time) =>
      [
        [`since=${time}`, 'since'],
        [`until=${time}`, 'until'],
      ] as const,
  ),
  ['since=2026-02-02&until=2026-02-01', 'since'],
  ['since=2026-02-02T00:00:00.001Z&until=2026-02-02', 'since'],
  ...['0', '501', '-1', '1.5', '1e2', 'x', '', '+5', '%205'].map((limit) => [`limit=${limit}`, 'limit'] as const),
  ...['name', 'REQUEST_COUNT', 'p50_latency_ms', ''].map((sort) => [`sort_by=${sort}`, 'sort_by'] as const),
  ...['down', 'ASC', ''].map((direction) => [`sort_dir=${direction}`, 'sort_dir'] as const),
  ...[
    'x',
    '',
    '7',
    '0198c0de-0000-7000-8000-00000000000',
    '0198c0de-0000-7000-8000-000000000000x',
    "'%20or%20true--",
  ].map((id) => [`key_id=${id}`, 'key_id'] as const),
  [`model=${'m'.repeat(201)}`, 'model'],
  ['model=a%00b', 'model'],
  ...['offset=0', 'colour=red', 'endpoint=/v1/models', 'Limit=5'].map(
    (query) => [query, query.split('=')[0]!] as const,
  ),
  ...['since=2026-01-01', 'limit=5', 'sort_by=error_count', 'model=m'].map(
    (query) => [`${query}&${query}`, query.split('=')[0]!] as const,
  ),
];

/** @param notSortedBy sort fields that only the other statistics routes accept */
export async function expectRejections(
  gateway: TestGateway,
  path: string,
  notSortedBy: readonly string[],
): Promise<void> {
  for (const [query, param] of [...WRONG, ...notSortedBy.map((sort) => [`sort_by=${sort}`, 'sort_by'] as const)]) {
    const { status, body } = await gateway.admin<{ error: Record<string, unknown> }>('GET', `${path}?${query}`);
    expect({ query, status, code: body.error?.code, param: body.error?.param }).toEqual({
      query,
      status: 400,
      code: 'validation_error',
      param,
    });
  }
  expect((await gateway.call('GET', path)).status).toBe(401);
  expect((await gateway.admin('POST', path)).status).toBe(404);
}
