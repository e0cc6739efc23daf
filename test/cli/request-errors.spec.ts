import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StatsWriter } from '../../src/stats/stats-writer.service.js';
import { TestGateway } from '../support/gateway.js';
import { cli, cliJson } from './command.js';

let gateway: TestGateway;
let env: Record<string, string>;
beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl };
});
afterAll(() => gateway.stop());

describe('request errors', () => {
  test('prints the counts of the Admin API by error code and by key', async () => {
    const before = await cli(['request', 'errors'], { env });
    expect(before.stdout).toMatch(/^Failed requests from \S+ to \S+ \(UTC\): 0, of which 0 were not admitted\.\n$/);
    const call = () => gateway.call('POST', '/v1/chat/completions', { body: {} });
    for (const { status } of [await call(), await call()]) expect(status).toBe(401);
    await gateway.app.get(StatsWriter).lastFlush();
    const { body } = await gateway.admin('GET', '/admin/request-errors');
    expect(body).toMatchObject({ totals: { requests: 2, rejected: 2 } });
    expect(await cliJson(['request', 'errors'], { env })).toMatchObject({ code: 0, body });
    const { stdout } = await cli(['request', 'errors', '--error-code', 'missing_api_key'], { env });
    expect(stdout).toMatch(/\nmissing_api_key +401 +2 +2\n[^]*\nno known key +- +2 +2\n$/);
  });

  test.each([
    [['--since', 'x'], '--since'],
    [['--team', 'nobody'], 'Team not found'],
  ])('rejects %j with exit code 2', async (options, named) => {
    const { code, stderr } = await cli(['request', 'errors', ...options], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  });
});
