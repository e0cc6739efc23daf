import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';
import { requestRow, writeRows } from '../support/request-log-rows.js';
import { cli, cliJson } from './command.js';

/** Older failures would be deleted. */
const START = Math.floor((Date.now() - 2 * 86_400_000) / 1000) * 1000;
const UNTIL = new Date(START + 1000).toISOString();

let gateway: TestGateway;
let env: Record<string, string>;
const ids: string[] = [];
beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl, GW_LOG_SAMPLE_RATE: '1' };
  const team = (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: 'checkout' })).body;
  const key = await gateway.createKey({ name: 'shop', team_id: team.id });
  const rows = [
    requestRow(key.id, START + 2, { status: 429, errorCode: 'rate_limit_exceeded', latencyMs: 24 }),
    requestRow(key.id, START + 1, { costNanos: '2500000', latencyMs: 900 }),
    requestRow(key.id, START),
  ];
  ids.push(...rows.map(({ id }) => id));
  const source = gateway.app.get(DataSource);
  await writeRows(source, rows.slice(0, 1), 'request_refusals');
  await writeRows(source, rows.slice(1));
});
afterAll(() => gateway.stop());

const until = ['--until', UNTIL];
const list = (...options: string[]) => cli(['request', 'list', ...until, ...options], { env });

describe('request list', () => {
  test('prints the same document as the Admin API', async () => {
    const { body } = await gateway.admin('GET', `/admin/requests?until=${UNTIL}&status=error`);
    expect(await cliJson(['request', 'list', ...until, '--status', 'error'], { env })).toMatchObject({ code: 0, body });
    expect(body).toMatchObject({ requests: [{ id: ids[0], sampled: false }], next_cursor: null });
  });

  test('prints one line for each request, and the cursor of the next page', async () => {
    const { stdout } = await list('--team', 'checkout', '--limit', '2');
    expect(stdout).toMatch(
      new RegExp(
        `^TIME .*\n${new Date(START + 2).toISOString()} +429 rate_limit_exceeded .*${ids[0]}\n.*\\$0\\.0025 +${ids[1]}\n`,
      ),
    );
    const cursor = /Next page: --cursor (\S+)\n$/.exec(stdout)![1]!;
    const next = (await list('--team', 'checkout', '--limit', '2', '--cursor', cursor)).stdout;
    expect(next).toContain(ids[2]);
    expect(next).not.toContain('--cursor');
  });

  test('sorts by latency, and exports all matching requests as CSV', async () => {
    const { stdout } = await list('--csv', '--sort', 'latency', '--limit', '1');
    expect(stdout.split('\r\n').map((line) => line.slice(0, 36))).toEqual([
      expect.stringContaining('request_id,created_at'),
      ids[1],
      ids[0],
      ids[2],
      '',
    ]);
  });

  test.each([
    [['--status', '2xx'], '--status'],
    [['--cost-min', '-1'], '--cost-min'],
    [['--team', 'nobody'], 'Team not found'],
    [['--cursor', 'x'], '--cursor'],
    [['--csv', '--json'], '--csv'],
  ])('rejects %j with exit code 2', async (options, named) => {
    const { code, stderr } = await list(...options);
    expect([code, stderr]).toEqual([2, expect.stringContaining(named)]);
  });

  test('a list without a match prints a message', async () => {
    expect(await list('--model', 'nobody-uses-this')).toMatchObject({ code: 0, stdout: 'No kept requests match.\n' });
  });
});
