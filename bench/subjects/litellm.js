import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePort, spawnOn, SUBJECT_CORE, untilOk } from '../system/processes.js';

const COMMAND = process.env.BENCH_LITELLM || 'litellm';

export const whyNoLiteLlm = () =>
  spawnSync(COMMAND, ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : 'litellm is not in PATH; set BENCH_LITELLM to the command of litellm[proxy]';

/** A Python gateway for many providers. Without a database, it has one key and records no costs. */
export async function startLiteLlm({ providerPort }) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bench-litellm-'));
  const file = join(folder, 'config.yaml');
  const params = { api_base: `http://127.0.0.1:${providerPort}/v1`, api_key: 'bench' };
  const model = (name) => ({ model_name: name, litellm_params: { ...params, model: `openai/${name}` } });
  writeFileSync(file, JSON.stringify({ model_list: [model('gpt-4o-mini'), model('text-embedding-3-small')] }));
  const key = `sk-${randomBytes(32).toString('hex')}`;
  const args = ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
  const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'ERROR', LITELLM_MASTER_KEY: key };
  const child = spawnOn(SUBJECT_CORE, COMMAND, args, { env, stdio: 'ignore' });
  await untilOk(`http://127.0.0.1:${port}/health/liveliness`, child);
  const stop = async () => {
    await end(child, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, pid: child.pid, headers: [`authorization: Bearer ${key}`], stop };
}
