import { startSubjects } from '../subjects.js';
import { pause, rssBytes } from '../system/processes.js';
import { measureOnce, tolerant } from './throughput.js';

const WARMUP = { connections: 64, seconds: 2 };
const HOLD_MS = 3000;

export async function measureHeld(scenario, place) {
  await place.stopSubjects();
  const [results, failed] = [{}, {}];
  for (const one of place.available) {
    const [subject] = Object.values(await startSubjects([one], place));
    try {
      const outcome = await tolerant(subject.name, () => measureSubject(scenario, subject, place));
      if (outcome.error === undefined) results[subject.name] = outcome.value;
      else failed[subject.name] = outcome.error;
    } finally {
      await subject.stop();
    }
  }
  return { connections: scenario.connections, results, failed };
}

async function measureSubject({ name, connections, request, warmup }, subject, place) {
  const warm = { name, request: warmup, connections: WARMUP.connections };
  await measureOnce(warm, subject, place, 0, WARMUP.seconds);
  await pause(1000);
  const before = rssBytes(subject.pid);
  let during = Number.NaN;
  const { port, headers } = subject;
  const figures = await place.run(
    {
      kind: 'held',
      port,
      connections,
      holdMs: HOLD_MS,
      request: { ...request, headers: [...request.headers, ...headers] },
    },
    {
      held: () => {
        during = rssBytes(subject.pid);
        place.load.send('release');
      },
    },
  );
  if (figures.failures !== null) throw new Error(`${subject.name}, ${name}: ${figures.failures}`);
  await pause(1000);
  return { before, during, after: rssBytes(subject.pid), perStream: (during - before) / connections };
}
