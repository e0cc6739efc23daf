import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ModelCatalog } from '../../src/model-policy/catalog.service.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { until } from '../support/until.js';
import { UpstreamsFile } from '../support/upstreams-file.js';

const CHAT = '/v1/chat/completions';
const MS = expect.any(Number);

interface Log {
  readonly upstream: string | null;
  readonly attempts: object[] | null;
}

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let file: UpstreamsFile;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
  file = new UpstreamsFile({
    upstreams: [
      { name: 'first', base_url: first.url, aliases: { fast: 'gpt-4o-mini' } },
      { name: 'second', base_url: second.url, aliases: { fast: 'gpt-4o' } },
    ],
  });
  gateway = await TestGateway.start({ ...file.env, GW_LOG_SAMPLE_RATE: '0' }, { upstream: first });
  await until(() => gateway.app.get(ModelCatalog).complete);
  key = await gateway.createKey();
});
beforeEach(() => {
  for (const provider of [first, second]) provider.reset();
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.stop(), second.stop()]);
  file[Symbol.dispose]();
});

/** The sample is empty, so the row of a failed request comes from the other table. */
async function logOf(requestId: string | null): Promise<Log> {
  let found: Log | undefined;
  await until(async () => {
    const { body } = await gateway.admin<{ logs: Log[] }>('GET', `/admin/request-logs?request_id=${requestId}`);
    return (found = body.logs[0]) !== undefined;
  });
  return found!;
}

test('a log entry has the upstream of the response, and each attempt with its model and outcome', async () => {
  first.on('POST', CHAT, () => ({ status: 429, body: { error: { message: 'slow down' } } }));
  second.on('POST', CHAT, () => ({ status: 500, body: { error: { message: 'broken' } } }));
  const { status, headers } = await gateway.chat(key, { model: 'fast' });
  expect(status).toBe(502);
  expect(await logOf(headers.get('x-request-id'))).toMatchObject({
    model: 'fast',
    upstream: 'second',
    attempts: [
      { upstream: 'first', model: 'gpt-4o-mini', status: 429, error: null, ms: MS },
      { upstream: 'second', model: 'gpt-4o', status: 500, error: null, ms: MS },
    ],
  });
});

test('an entry of a request that no upstream received has neither upstream nor attempts', async () => {
  const { status, headers } = await gateway.chat(key, { model: 'no-such-model' });
  expect(status).toBe(403);
  expect(await logOf(headers.get('x-request-id'))).toMatchObject({ upstream: null, attempts: null });
});
