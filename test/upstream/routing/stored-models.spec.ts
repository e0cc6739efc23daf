import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { errorCodeIn } from '../../support/responses.js';
import type { Key } from '../../support/gateway.js';
import { RoutedGateway } from './routed-gateway.js';

const REMIX = '/v1/videos/video_1/remix';

let routed: RoutedGateway;
let key: Key;
beforeAll(async () => {
  const upstreams = ['one', 'two', 'three'].map((name) => ({ name }));
  routed = await RoutedGateway.start({ upstreams }, { GW_ROUTES: 'all' });
  key = await routed.gateway.createKey({ allowed_models: ['gpt-4o'] });
});
afterAll(() => routed.stop());
beforeEach(() => routed.reset());

/** Makes one upstream store the video. Every upstream would remix it. */
function stores(name: string, model: string): void {
  routed.provider(name).on('GET', '/v1/videos/video_1', () => ({ body: { id: 'video_1', model } }));
  for (const each of ['one', 'two', 'three'])
    routed.provider(each).on('POST', REMIX, () => ({ body: { id: 'video_2' } }));
}
const remix = async () => {
  const response = await routed.gateway.call('POST', REMIX, { key, body: { prompt: 'x' } });
  return [errorCodeIn(response), response.headers.get('x-gw-upstream')];
};

const received = () =>
  Object.fromEntries(
    ['one', 'two', 'three'].map((name) => [
      name,
      routed.provider(name).requests.map(({ method, path }) => `${method} ${path}`),
    ]),
  );

test('a stored object is searched at each upstream, and the request goes to the upstream whose object was read', async () => {
  const read = 'GET /v1/videos/video_1';
  stores('two', 'gpt-4.1');
  expect(await remix()).toEqual(['403 model_not_allowed model', null]);
  expect(received()).toEqual({ one: [read], two: [read], three: [] });
  routed.reset();
  stores('two', 'gpt-4o');
  expect(await remix()).toEqual(['200', 'two']);
  expect(received()).toEqual({ one: [], two: [read, `POST ${REMIX}`], three: [] });
});
