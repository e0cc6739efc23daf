import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Key } from '../../../../support/gateway.js';
import { BOUNDARY, file, formOf, text } from '../../../../support/multipart-forms.js';
import { RoutedGateway, type RoutedFile } from '../../../../upstream/routing/routed-gateway.js';
import { FailingProviders } from './failing-providers.js';
import { FAILURES, type ProviderFailure } from './provider-failures.data.js';

const UPLOADS = 20;
const FAILED_MAX = 2;
/** An upload names no model. An error beside the fields of a file can be that of the file. */
const OF_UPLOADS = FAILURES.filter(({ name }) => !/model|deployment|reports an error/.test(name));

let providers: FailingProviders;
let routed: RoutedGateway;
let key: Key;
let nowMs = 0;
let markers = 0;

beforeAll(async () => {
  providers = await FailingProviders.start();
  const names = ['failing', 'good'].map((name) => [name, providers.provider] as const);
  routed = await RoutedGateway.start(fileOf(FAILURES[0]!), {}, { providers: new Map(names) });
  key = await routed.gateway.createKey();
});
beforeEach(() => providers.reset());
afterEach(() => routed.idle());
afterAll(async () => {
  await routed.stop();
  await providers.stop();
});

const fileOf = (failure: ProviderFailure): RoutedFile => ({
  upstreams: [
    {
      name: 'failing',
      base_url: providers.urlOf(failure),
      models: ['gpt-4o-mini'],
      timeouts: failure.timeouts ?? {},
      tls: { ca: providers.authorityFile },
    },
    { name: 'good', models: ['gpt-4o-mini'] },
  ],
  failover_deadline: 60_000,
});

/** The body is streamed, so it can be sent only once. */
async function isUploaded(marker: string): Promise<boolean> {
  const response = await routed.gateway.call('POST', '/v1/files', {
    key,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: formOf([text('purpose', 'batch'), file('file', `${marker}${'x'.repeat(100_000)}`, 'a.jsonl')]),
  });
  return response.status === 200 && response.text.includes('file-1');
}

test.each(OF_UPLOADS)('file uploads avoid a provider that $name', async (failure) => {
  routed.reload(fileOf(failure));
  routed.reset(() => nowMs);
  providers.failNext(Infinity);
  const lost: string[] = [];
  for (let sent = 0; sent < UPLOADS; sent++) {
    const marker = `marker-${(markers += 1)}-`;
    if (!(await isUploaded(marker).catch(() => false))) lost.push(marker);
    nowMs += 50;
  }
  expect(lost.filter((marker) => !providers.failedMarkers.has(marker))).toEqual([]);
  const failed = providers.failed.get(failure) ?? 0;
  expect(failed > 0).toBe(failure.connect === undefined);
  expect(failed).toBeLessThanOrEqual(FAILED_MAX);
  expect([...providers.charges.values()].filter((charges) => charges > 1)).toEqual([]);
});
