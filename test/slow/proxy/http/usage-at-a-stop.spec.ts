import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { waitForStorage } from '../../../../src/start/shutdown.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { startGateway } from '../../../support/ready-gateway.js';

let database: ScratchDatabase;
let source: DataSource;
let upstream: ScriptedUpstream;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  source = await new DataSource({ type: 'postgres', url: database.url, installExtensions: false }).initialize();
  // Without reported usage, the gateway has to count the tokens.
  upstream.on('POST', '/v1/chat/completions', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices":[{"index":0,"delta":{"content":"Hello world"}}]}\n\ndata: [DONE]\n\n');
  });
});
afterAll(async () => {
  await source.destroy();
  await upstream.stop();
  await database.drop();
});

test('a shutdown stores usage that is still being counted, and ends', async () => {
  const stopped = await startGateway({}, { databaseUrl: database.url, upstream });
  const key = await stopped.createKey();
  const requests = 20;
  await Promise.all(Array.from({ length: requests }, () => stopped.chat(key, { stream: true })));
  await stopped.stop();
  const [row] = await source.query<{ n: string; tokens: string }[]>(
    'select requests n, input_tokens + output_tokens tokens from usage_monthly where key_id = $1',
    [key.id],
  );
  // The exact count is 10 per request, the rough estimate is 4.
  expect(Number(row?.n)).toBe(requests);
  expect(Number(row?.tokens)).toBeGreaterThan(requests * 3);
});

test('tokens that take a long time to count do not use up the grace period of a shutdown', async () => {
  const stopped = await startGateway({}, { databaseUrl: database.url, upstream });
  const key = await stopped.createKey();
  // No word is repeated, because the counts of known words are cached.
  const content = Array.from({ length: 36_000 }, (_, at) => ((at * 2_654_435_761) % 2 ** 32).toString(36)).join(' ');
  const requests = 40;
  for (let nth = 0; nth < requests; nth++)
    await stopped.chat(key, { stream: true, messages: [{ role: 'user', content }] });
  await waitForStorage(stopped.app, 60_000);
  await stopped.stop();
  const [row] = await source.query<{ n: string }[]>('select requests n from usage_monthly where key_id = $1', [key.id]);
  expect(Number(row?.n)).toBe(requests);
});
