import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestGateway } from '../support/gateway.js';
import { documentOf, operationsOf, type Operation } from '../support/openapi-document.js';

const REQUESTS: Readonly<Record<string, { readonly path: string; readonly body?: object }>> = {
  'GET /admin/costs': { path: '/admin/costs?format=csv' },
  'GET /admin/costs/focus': { path: '/admin/costs/focus' },
  'GET /admin/limits': { path: '/admin/limits?format=csv' },
  'GET /admin/requests': { path: '/admin/requests?format=csv' },
  'POST /admin/costs/reconciliation': {
    path: '/admin/costs/reconciliation?output=csv',
    body: { csv: 'start_time_iso,amount_value,amount_currency\n2026-10-01,2,usd' },
  },
};

let gateway: TestGateway;
let operations: Map<string, Operation>;
beforeAll(async () => {
  gateway = await TestGateway.start();
  operations = operationsOf(await documentOf(gateway));
});
afterAll(() => gateway.stop());

const takesFormat = ({ parameters = [] }: Operation): boolean =>
  parameters.some(({ schema }) => Array.isArray(schema['enum']) && schema['enum'].includes('csv'));

describe('CSV of the Admin API', () => {
  test('the API description has `text/csv` for exactly the routes that return it', () => {
    const described = [...operations].filter(
      ([, { responses }]) => responses['200']?.content?.['text/csv'] !== undefined,
    );
    expect(described.map(([name]) => name).sort()).toEqual(Object.keys(REQUESTS));
    const chosen = [...operations].filter(([, operation]) => takesFormat(operation)).map(([name]) => name);
    for (const name of chosen)
      expect([name, Object.keys(operations.get(name)!.responses['200']!.content!)]).toEqual([
        name,
        ['application/json', 'text/csv'],
      ]);
    expect(chosen.sort()).toEqual(Object.keys(REQUESTS).filter((name) => name !== 'GET /admin/costs/focus'));
  });

  test.each(Object.entries(REQUESTS))('%s returns a CSV file', async (name, { path, body }) => {
    const response = await gateway.admin(name.split(' ')[0]!, path, body);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=".+\.csv"$/);
  });
});
