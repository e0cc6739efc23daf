import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from './gateway.js';

/** Amounts that no run reaches. */
const PLENTY = 1_000_000_000_000;
const PLENTY_DOLLARS = '1000000';
const MODELS = ['gpt-4o-mini', 'text-embedding-3-small'];

/**
 * Starts the gateway with the features that can cost time per request: a team with a budget, six limits, an operator's prices, and two
 * accounts. Both accounts serve every model.
 */
export async function startGoverned(place) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-accounts-'));
  const file = join(folder, 'upstreams.yaml');
  writeFileSync(file, JSON.stringify(twoAccounts(place.providerPort)));
  const started = await startGateway(place, { accounts: { GW_UPSTREAMS: file, BENCH_CREDENTIAL: 'bench' }, govern });
  const stop = async () => {
    await started.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...started, stop };
}

const twoAccounts = (providerPort) => ({
  upstreams: ['first', 'second'].map((name) => ({
    name,
    base_url: `http://127.0.0.1:${providerPort}/v1`,
    credential: { env: 'BENCH_CREDENTIAL' },
  })),
  routes: [{ models: '*', upstreams: ['first', 'second'].map((name) => ({ name, weight: 1 })) }],
});

/** @returns the fields of the benchmark's key */
async function govern(create) {
  for (const model of MODELS) await create('/admin/prices', { model, prices: { input: '0.15', output: '0.60' } });
  const { id } = await create('/admin/teams', { name: 'bench' });
  const limits = [
    { scope: 'team', team_id: id, measure: 'cost', period: 'month', amount: PLENTY_DOLLARS },
    { scope: 'team', team_id: id, measure: 'tokens', period: 'day', amount: PLENTY },
    { scope: 'team', team_id: id, measure: 'concurrent_requests', amount: PLENTY },
    { scope: 'account', measure: 'cost', period: 'month', amount: PLENTY_DOLLARS },
    { scope: 'account', measure: 'requests', period: 'hour', amount: PLENTY },
    { scope: 'account', measure: 'input_tokens', period: 'rolling_5h', amount: PLENTY },
  ];
  for (const limit of limits) await create('/admin/limits', limit);
  return { team_id: id };
}
