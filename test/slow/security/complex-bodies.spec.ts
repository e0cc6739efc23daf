import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ELEMENTS_MAX, NAMES_MAX } from '../../../src/platform/json/json-structure.js';
import { enabledRoutes } from '../../support/enabled-routes.js';
import { ADMIN_KEY, TestGateway, type Key } from '../../support/gateway.js';
import { errorCodeIn, errorIn } from '../../support/responses.js';

const list = (count: number, entry: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => entry(at)).join();
const EMPTY_ARRAYS = `{"x":[${list(ELEMENTS_MAX, () => '[]')}]}`;
const MANY_NAMES = `{${list(NAMES_MAX * 1.1, (at) => `"k${at}":1`)}}`;
/** The only route whose bodies are lists of requests. */
const BATCHES = '/v1/messages/batches';

describe.each(['specification', 'current'])('bodies that are too complex with GW_PROFILE=%s', (profile) => {
  let gateway: TestGateway;
  let key: Key;
  beforeAll(async () => {
    gateway = await TestGateway.start({
      GW_PROFILE: profile,
      GW_ROUTES: 'all',
      GW_UNBILLED_ROUTES: 'batches,fine_tuning',
    });
    key = await gateway.createKey();
    gateway.upstream.reset();
  });
  afterAll(() => gateway.stop());

  test.each([
    ['arrays', EMPTY_ARRAYS, `it has more than ${ELEMENTS_MAX} arrays, objects, fields and texts`],
    ['different names', MANY_NAMES, `it has more than ${NAMES_MAX} different field names`],
  ])(
    'a body with too many %s returns 400 invalid_json on every route that reads JSON',
    async (_what, body, problem) => {
      let tried = 0;
      for (const { method, path, spec } of enabledRoutes(gateway.app)) {
        if (method !== 'POST' || spec?.kind !== 'gateway' || !['json', 'either'].includes(spec.body)) continue;
        if (path === BATCHES && body === EMPTY_ARRAYS) continue;
        const response = await gateway.call('POST', path.replace(/:\w+/g, 'x-1'), { key, body });
        expect([path, errorCodeIn(response)]).toEqual([path, '400 invalid_json']);
        expect(errorIn(response).message).toContain(problem);
        tried++;
      }
      expect(tried).toBeGreaterThan(20);
      expect(gateway.upstream.requests).toEqual([]);
    },
    120_000,
  );

  test('a list of requests can have an element per 20 bytes', async () => {
    const requests = (count: number, text: string) =>
      `{"requests":[${list(count, () => `{"params":{"x":"${text}"}}`)}]}`;
    const create = async (body: string) => errorCodeIn(await gateway.call('POST', BATCHES, { key, body }));
    gateway.upstream.on('POST', BATCHES, () => ({ body: { id: 'b' } }));
    // Each request has four elements.
    expect(await create(requests(80_000, 'y'.repeat(70)))).toBe('200');
    expect(await create(requests(80_000, 'y'.repeat(40)))).toBe('400 invalid_json');
    expect(await create(requests(37_000, ''))).toBe('200');
  });

  test('the Admin API refuses such bodies too', async () => {
    const response = await gateway.call('POST', '/admin/api-keys', { key: ADMIN_KEY, body: MANY_NAMES });
    expect(errorCodeIn(response)).toBe('400 invalid_json');
  });
});
