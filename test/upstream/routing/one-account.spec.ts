import { expect, test } from '@jest/globals';
import type { ModelCatalog } from '../../../src/model-policy/catalog.service.js';
import { UpstreamCandidates } from '../../../src/model-policy/upstream-candidates.service.js';
import { Config } from '../../../src/platform/config/config.js';
import { Router, type Choice } from '../../../src/upstream/routing/router.service.js';
import type { UpstreamDrains } from '../../../src/upstream/routing/upstream-drains.service.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { contextFor } from '../../model-policy/fakes.js';

const config = Config.from({ GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1' });
const catalog = { onChange: () => undefined, modelsOf: () => null, hasList: () => false } as Partial<ModelCatalog>;
/** Rows of an earlier `GW_UPSTREAMS` file whose upstreams had the names of the account's addresses. */
const drains = { of: () => ({ upstream: 'default', createdAt: new Date() }) } as unknown as UpstreamDrains;

function choose(model: string, api: 'openai' | 'anthropic'): Choice {
  const client = new UpstreamClient(config);
  const candidates = new UpstreamCandidates(client, catalog as ModelCatalog, config);
  const router = new Router(client, candidates, null as never, null as never, drains);
  const ctx = contextFor('/v1/chat/completions', { model });
  ctx.model = model;
  return router.choose(ctx, api, { params: {} } as never) as Choice;
}

test.each(['openai', 'anthropic'] as const)(
  'without GW_UPSTREAMS, the %s address serves every model, also if a drain has the same name',
  (api) => {
    const { candidates, objects } = choose('any-model', api);
    expect(candidates.map(({ upstream }) => upstream.name)).toEqual([api === 'openai' ? 'default' : 'messages']);
    expect(candidates[0]!.upstream.isNamed).toBe(false);
    expect(objects).toBeNull();
  },
);
