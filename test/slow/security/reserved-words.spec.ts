import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declaredRoutes } from '../../../src/platform/routes/declared-routes.js';
import { reservedWords } from '../../../src/proxy/pipeline/reserved-words.rules.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { errorCodeIn } from '../../support/responses.js';

describe('reservedWords', () => {
  const wordsOf = (endpoint: string, ...others: string[]) =>
    reservedWords([endpoint, ...others])
      .get(endpoint)!
      .map((words) => [...words]);

  test.each([
    ['/v1/threads/{id}', ['/v1/threads/runs'], [['runs']]],
    ['/v1/threads/{id}', ['/v1/threads/{thread_id}/runs', '/v1/runs'], [[]]],
    ['/v1/threads/{id}/runs/{run_id}', ['/v1/threads/runs', '/v1/threads/{x}/runs/Last'], [['runs'], ['last']]],
    ['/v1/videos/{id}/content', ['/v1/videos/edits', '/v1/videos/characters/{id}'], [['edits', 'characters']]],
    ['/v1/a/b', ['/v1/a/{id}'], []],
  ])('finds the words of the parameters of %s besides %j', (endpoint, others, words) =>
    expect(wordsOf(endpoint, ...others)).toEqual(words),
  );
});

describe.each([
  ['the specified routes', {}],
  ['all routes', { GW_ROUTES: 'all', GW_UNBILLED_ROUTES: 'batches,fine_tuning' }],
])('IDs that resemble other routes, with %s', (_which, env) => {
  let gateway: TestGateway;
  let key: Key;
  beforeAll(async () => {
    gateway = await TestGateway.start(env);
    key = await gateway.createKey();
    gateway.upstream.reset();
  });
  afterAll(() => gateway.stop());

  test('a literal segment of another route is not an ID, in any case or encoding', async () => {
    const routes = declaredRoutes(gateway.app).flatMap(({ method, spec }) =>
      spec?.kind === 'gateway' ? [{ method, endpoint: spec.endpoint }] : [],
    );
    const reserved = reservedWords(routes.map(({ endpoint }) => endpoint));
    let tried = 0;
    for (const { method, endpoint } of routes) {
      const words = reserved.get(endpoint)!;
      for (const [at, each] of words.entries())
        for (const word of each) {
          const [first, ...rest] = word;
          const encoded = `%${first!.toUpperCase().charCodeAt(0).toString(16)}${rest.join('')}`;
          for (const id of [
            word.toUpperCase(),
            encoded,
            `${word.toUpperCase()}.`,
            first + rest.join('').toUpperCase(),
          ]) {
            let parameter = 0;
            const path = endpoint.replace(/\{\w+\}/g, () => (parameter++ === at ? id : 'x-1'));
            const response = await gateway.call(method, path, { key, body: method === 'POST' ? '{}' : undefined });
            expect([method, path, errorCodeIn(response)]).toEqual([method, path, '404 route_not_found']);
            tried++;
          }
        }
    }
    expect(tried).toBeGreaterThan(40);
    expect(gateway.upstream.requests).toEqual([]);
  });

  test('an ID that only contains such a word is accepted', async () => {
    for (const id of ['runs-1', 'RUNS_1', 'xruns', 'runs.1'])
      expect([id, errorCodeIn(await gateway.call('GET', `/v1/threads/${id}`, { key }))]).toEqual([
        id,
        expect.not.stringMatching(/route_not_found/),
      ]);
  });
});
