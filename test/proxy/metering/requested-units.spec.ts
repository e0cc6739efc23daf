import { expect, test } from '@jest/globals';
import { requestedUnits } from '../../../src/proxy/metering/requested-units.js';
import type { RequestContext } from '../../../src/platform/request-context/request-context.js';

const imagesIn = (n: unknown): number | null => {
  const route = { kind: 'gateway', endpoint: '/v1/images/generations' };
  return requestedUnits({ route, body: { json: { n } } } as unknown as RequestContext).images;
};

test.each([[{ toString: null, valueOf: null }], [[]], [7]])('a tool of the type %j is not a hosted tool', (type) => {
  const route = { kind: 'gateway', endpoint: '/v1/chat/completions' };
  const units = requestedUnits({ route, body: { json: { tools: [{ type }, null] } } } as unknown as RequestContext);
  expect(units.hostedTools).toBe(false);
});

test.each([
  [3, 3],
  ['2', 2],
  [undefined, 1],
  [null, 1],
  [-1, 1],
  ['many', 1],
  [[2], 1],
  [{ toString: 1, valueOf: 1 }, 1],
])('a request for images with n = %p counts %i of them if the response does not say more', (n, images) => {
  expect(imagesIn(n)).toBe(images);
});

test.each([
  [{ model: 'gpt-4o-search-preview' }, ['web_searches']],
  [{ model: 'gpt-4o-mini-search-preview-2025-03-11' }, ['web_searches']],
  [{ model: 'openai/gpt-5-search-api' }, ['web_searches']],
  [{ model: 'sonar', web_search_options: {} }, ['web_searches']],
  [{ model: 'gpt-4o', web_search_options: null }, []],
  [{ model: 'search-apis-1' }, []],
])('a chat with %j can cause searches that the response does not report: %j', (json, unreported) => {
  const route = { kind: 'gateway', endpoint: '/v1/chat/completions' };
  expect(requestedUnits({ route, body: { json } } as unknown as RequestContext).unreported).toEqual(unreported);
});
