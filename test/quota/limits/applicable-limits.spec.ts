import { describe, expect, test } from '@jest/globals';
import type { ActiveLimit } from '../../../src/quota/limits/limit.js';
import { ApplicableLimits } from '../../../src/quota/limits/applicable-limits.service.js';
import { LimitIndex } from '../../../src/quota/limits/limit-index.js';
import type { LimitSet } from '../../../src/quota/limits/limit-set.service.js';
import type { UpstreamCandidates } from '../../../src/model-policy/upstream-candidates.service.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import type { RequestContext } from '../../../src/platform/request-context/request-context.js';
import { ALL_ROUTES } from '../../../src/proxy/pass-through/all-routes.data.js';
import type { GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { activeLimit } from '../../support/active-limits.js';
import { CHAT, contextOf } from './claim-bench.js';

const KEY = { id: 'key-1', version: 1, teamId: null, tags: [] } as unknown as KeySnapshot;

/** The IDs of the limits that apply. Aliases are models of an upstream of `GW_UPSTREAMS`. */
function idsFor(ctx: RequestContext, limits: readonly Partial<ActiveLimit>[], aliases: Record<string, string[]> = {}) {
  const index = new LimitIndex();
  const changed = limits.map((limit, at) => activeLimit({ id: at + 1, ...limit }));
  index.apply({ version: 1, complete: true, total: changed.length, changed, removed: [], teamTags: new Map() });
  const candidatesOf = (model: string) => (aliases[model] ?? [model]).map((sent) => ({ model: sent }));
  const serving = { of: (model: string) => ({ candidates: candidatesOf(model) }), fallbacksOf: () => [] };
  ctx.key = KEY;
  const applicable = new ApplicableLimits(index as LimitSet, serving as unknown as UpstreamCandidates);
  return applicable.of(ctx).map(({ id }) => id);
}

const GPT = { models: ['gpt-4o'] };
const request = (json: object, model: string | null = 'mini', route: Partial<GatewayRouteSpec> = CHAT) => {
  const ctx = contextOf(route, json);
  ctx.model = model;
  return ctx;
};

describe('a limit with patterns', () => {
  test('applies to every model that an alias stands for', () => {
    const aliases = { fast: ['mini', 'gpt-4o'] };
    expect(idsFor(request({}, 'fast'), [GPT, { models: ['mini'] }, { models: ['other'] }], aliases)).toEqual([1, 2]);
  });

  test('applies if the provider chooses the fallbacks', () => {
    expect(idsFor(request({ fallbacks: 'default' }), [GPT])).toEqual([1]);
    expect(idsFor(request({ agent: { fallbacks: 'default' } }), [GPT])).toEqual([1]);
  });

  test('applies if the request names more than 64 models', () => {
    const naming = (count: number) => {
      const requests = Array.from({ length: count }, (_, at) => ({ params: { model: `m-${at}` } }));
      return request({ requests }, null, { endpoint: '/v1/messages/batches', usage: null, model: 'if-any' });
    };
    expect(idsFor(naming(64), [GPT])).toEqual([]);
    expect(idsFor(naming(65), [GPT])).toEqual([1]);
  });

  test.each(['gated', 'defaulted'] as const)(
    'applies if the request leaves its main model to the provider: %s',
    (model) => {
      const tools = [{ type: 'image_generation', model: 'gpt-image-1' }];
      expect(idsFor(request({ tools }, null, { ...CHAT, model }), [GPT])).toEqual([1]);
      expect(idsFor(request({ tools }, 'mini', { ...CHAT, model }), [GPT])).toEqual([]);
    },
  );

  const ofFiles = ALL_ROUTES.flatMap(({ routes }) => routes.filter(({ batchFileIn }) => batchFileIn !== undefined));
  test.each([...ofFiles.map(({ path }) => path), '/v1/evals/{eval_id}/runs'])(
    'applies if the provider has stored the models that the route runs: %s',
    (endpoint) => {
      expect(idsFor(request({}, 'mini', { endpoint, usage: null, model: 'if-any' }), [GPT])).toEqual([1]);
    },
  );

  test('applies by the model of the request after the body was released', () => {
    const ctx = request({}, 'gpt-4o');
    ctx.body.releaseJson();
    expect(idsFor(ctx, [GPT, { models: ['other'] }])).toEqual([1]);
  });
});

test('the body is not searched if no limit of the key has patterns', () => {
  const ctx = contextOf();
  Object.defineProperty(ctx.body, 'json', {
    get: () => {
      throw new Error('the body was searched');
    },
  });
  expect(idsFor(ctx, [{}])).toEqual([1]);
  expect(idsFor(ctx, [])).toEqual([]);
});
