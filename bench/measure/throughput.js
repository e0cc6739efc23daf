import { BARE, OURS } from '../subjects.js';
import { cpuSeconds, rssBytes } from '../system/processes.js';

/** A process needs some seconds of load to compile its hot paths, and the gateway needs longer than a bare proxy. */
export const FIRST_WARMUP_SECONDS = 10;
const LATER_WARMUP_SECONDS = 1;

export async function measureThroughput(scenario, place) {
  const { seconds, rounds } = place.options;
  const subjects = Object.values(await place.subjects());
  const results = Object.fromEntries(subjects.map(({ name }) => [name, []]));
  const failed = {};
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects.filter(({ name }) => !(name in failed))) {
      const warmupSeconds = round === 0 ? FIRST_WARMUP_SECONDS : LATER_WARMUP_SECONDS;
      const outcome = await tolerant(subject.name, () => measureOnce(scenario, subject, place, warmupSeconds, seconds));
      if (outcome.error === undefined) results[subject.name].push(outcome.value);
      else failed[subject.name] = outcome.error;
    }
  }
  for (const name of Object.keys(failed)) delete results[name];
  return { unit: scenario.unit, paced: scenario.paced ?? false, results, failed };
}

/** Returns `{value}` or `{error}`. Errors of the gateway and of the bare proxy are thrown and end the run. */
export async function tolerant(name, measure) {
  try {
    return { value: await measure() };
  } catch (error) {
    if (name === BARE || name === OURS) throw error;
    return { error: error.message };
  }
}

export async function measureOnce(scenario, subject, place, warmupSeconds, seconds) {
  const { connections, request, stamped = false } = scenario;
  const { port, pid, headers } = subject;
  const mark = async () => ({ cpu: cpuSeconds(pid), chunks: (await place.providerCounts()).chunks });
  let [before, after] = [null, null];
  const figures = await place.run(
    {
      kind: 'closed',
      port,
      connections,
      stamped,
      request: { ...request, headers: [...request.headers, ...headers] },
      warmupMs: warmupSeconds * 1000,
      measureMs: seconds * 1000,
    },
    { measuring: async () => (before = await mark()), measured: async () => (after = await mark()) },
  );
  if (figures.failures !== null) throw new Error(`${subject.name}, ${scenario.name}: ${figures.failures}`);
  const cpu = after.cpu - before.cpu;
  const chunks = after.chunks - before.chunks;
  return {
    ...figures,
    rate: figures.responses / figures.seconds,
    chunksPerSecond: chunks / figures.seconds,
    cpuUs: (cpu / figures.responses) * 1e6,
    cpuUsPerChunk: chunks === 0 ? null : (cpu / chunks) * 1e6,
    busy: cpu / figures.seconds,
    rssBytes: rssBytes(pid),
  };
}
