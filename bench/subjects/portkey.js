import { createRequire } from 'node:module';
import { end, freePort, pause, spawnOn, SUBJECT_CORE } from '../system/processes.js';

const require = createRequire(import.meta.url);

function findPortkey() {
  if (process.env.BENCH_PORTKEY) return process.env.BENCH_PORTKEY;
  try {
    return require.resolve('@portkey-ai/gateway/build/start-server.js');
  } catch {
    return null;
  }
}

export const whyNoPortkey = () =>
  findPortkey() === null ? 'set BENCH_PORTKEY to build/start-server.js of @portkey-ai/gateway' : null;

/** A Node gateway for many providers, without its own keys, limits, or storage. */
export async function startPortkey({ providerPort }) {
  const port = await freePort();
  const args = [findPortkey(), `--port=${port}`, '--headless'];
  const node = process.env.BENCH_PORTKEY_NODE || process.execPath;
  // The output is not needed, because responses contain the errors.
  const child = spawnOn(SUBJECT_CORE, node, args, { env: { ...process.env, NODE_ENV: 'production' }, stdio: 'ignore' });
  await listening(port, child);
  return {
    port,
    pid: child.pid,
    headers: [
      'authorization: Bearer bench',
      'x-portkey-provider: openai',
      `x-portkey-custom-host: http://127.0.0.1:${providerPort}/v1`,
    ],
    stop: () => end(child, 'SIGKILL'),
  };
}

async function listening(port, child) {
  for (let tries = 0; tries < 300; tries++, await pause(50)) {
    if (child.exitCode !== null) throw new Error(`Portkey's gateway exited with ${child.exitCode}`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error("Portkey's gateway did not start");
}
