import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { connect } from '../support/stats-database.js';
import { cli, cliJson, failureOf } from './command.js';

const COSTS =
  'usage_date_utc,model,token_type,cost_usd\n2026-10-01,Claude Haiku 4.5,output,0.07\n2026-10-02,Claude Haiku 4.5,output,0.50\n';
const ZEROS = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'reasoning',
  'audio_input',
  'cached_audio_input',
  'audio_output',
  'image_input',
  'image_output',
  'web_searches',
  'file_searches',
  'code_executions',
  'images',
  'audio_seconds',
  'characters',
];

let folder: string;
let scratch: ScratchDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  [folder, scratch] = await Promise.all([mkdtemp(join(tmpdir(), 'reconcile-')), createScratchDatabase()]);
  env = { DATABASE_URL: scratch.url };
  expect((await cli(['migrate'], { env })).code).toBe(0);
  const source = await connect(scratch.url);
  for (const [day, nanos] of [
    ['2026-10-01', '70000000'],
    ['2026-10-02', '400000000'],
  ])
    await source.query(
      `insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, cost_nanos, ${ZEROS.join(', ')})
       values ($1, $2, 'claude-haiku-4-5', '/v1/messages', 'messages', 3, 0, 0, $3, ${ZEROS.map(() => 0).join(', ')})`,
      [day, randomUUID(), nanos],
    );
  await source.destroy();
});
afterAll(async () => {
  await scratch.drop();
  await rm(folder, { recursive: true });
});

async function fileOf(content: string | Uint8Array, name = `${randomUUID()}.csv`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const reconcile = (...args: string[]) => cli(['cost', 'reconcile', ...args], { env });

describe('cost reconcile', () => {
  test('prints the summary, likely causes, each day, and the models that differ', async () => {
    const { code, stdout } = await reconcile(await fileOf(COSTS), '--provider', 'messages');
    expect([code, stdout.replace(/ +/g, ' ')]).toEqual([
      0,
      [
        'From 2026-10-01 to 2026-10-02, the provider billed $0.57 and the gateway recorded $0.47: $0.1 less (-17.54 %). 1 of 2 days differ.',
        'requests_bypassed: The provider reports usage that the gateway did not record. Other programs probably use the account without the gateway.',
        '',
        'DAY FIGURE PROVIDER GATEWAY DIFFERENCE PERCENT NOTE',
        '2026-10-01 USD 0.07 0.07 0 0.00 matches',
        '2026-10-02 USD 0.5 0.4 -0.1 -20.00 -',
        'total USD 0.57 0.47 -0.1 -17.54 -',
        '',
        'Models that differ:',
        'DAY MODEL FIGURE PROVIDER GATEWAY DIFFERENCE PERCENT NOTE',
        '2026-10-02 claude-haiku-4-5 USD 0.5 0.4 -0.1 -20.00 -',
        '',
      ].join('\n'),
    ]);
  });

  test('prints the response of the Admin API with --json', async () => {
    const { code, body } = await cliJson(['cost', 'reconcile', await fileOf(COSTS), '--format', 'anthropic_costs'], {
      env,
    });
    expect([code, body]).toMatchObject([
      0,
      { object: 'cost_reconciliation', upstreams: ['messages'], totals: { cost: { difference: '-0.1' } } },
    ]);
  });

  test('prints CSV with --csv', async () => {
    const { code, stdout } = await reconcile(await fileOf(COSTS), '--csv');
    expect([code, stdout.split('\r\n')[1]]).toEqual([0, 'total,,,both,false,0.57,0.47,-0.1,-17.54,6,0,0,0']);
  });

  test('a report of one upstream has no records of another upstream', async () => {
    const { stdout } = await reconcile(await fileOf(COSTS), '--provider', 'default');
    expect(stdout).toMatch(/^2026-10-01 .* only in the export$/m);
  });

  test('an unknown upstream is rejected with exit code 2, and the message names the option', async () => {
    const { code, stderr } = await reconcile(await fileOf(COSTS), '--provider', 'other');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --provider: /)]);
  });

  test('names the row of an invalid cell', async () => {
    const { code, stdout, stderr } = await reconcile(await fileOf(COSTS.replace('0.50', '0.5O')));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Row 3 has '0.5O' in the column 'cost_usd'`);
  });

  test('a file that fits several formats is rejected with exit code 2, and the message names --format', async () => {
    expect(await reconcile(await fileOf('date,cost\n2026-10-01,1\n'))).toMatchObject({
      code: 2,
      stderr:
        'error: --format: The columns fit several formats. Set --format to one of: openai_costs, anthropic_costs.\n',
    });
  });
});

describe('a command line without a database', () => {
  test.each([
    ['a missing file', async () => [join(folder, 'none.csv')], 'usage', 'none.csv cannot be read. Check its path.'],
    ['text that is not UTF-8', async () => [await fileOf(new Uint8Array([0xff, 0xfe, 0x41]))], 'usage', 'not UTF-8'],
    ['a large file', async () => [await fileOf('x'.repeat(8 * 1024 * 1024 + 1))], 'usage', 'larger than 8388608 bytes'],
    ['an empty file', async () => [await fileOf('')], 'validation_error', `'csv'`],
    ['an unknown format', async () => [await fileOf(COSTS), '--format', 'xml'], 'validation_error', `'format'`],
    ['both output options', async () => [await fileOf(COSTS), '--csv'], 'usage', '--csv'],
  ])('%s is rejected without a database', async (_what, args, code, words) => {
    expect(await failureOf(['cost', 'reconcile', ...(await args())])).toMatchObject({
      exitCode: 2,
      error: { code, message: expect.stringContaining(words) },
    });
  });
});
