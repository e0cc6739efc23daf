// What the gateway adds to an answer's time, at a rate that all can carry: half of what the bare proxy carries, or, where
// that is too much for the gateway, half of what the gateway carries.
import { BARE, OURS } from '../subjects.js';
import { runAdmission } from './admission.js';
import { FIRST_WARMUP_SECONDS, measureOnce, tolerant } from './throughput.js';

const CALIBRATION = { connections: 64, warmupSeconds: FIRST_WARMUP_SECONDS, seconds: 2 };
const SLICE_MS = 1000;
const WARMUP_SLICES = 2;
/** Who carries less than so many times the rate would show its own queue. */
const ROOM = 1.2;

/** `{measured, rate, half, capacity, admission, results}`; who cannot carry the rate is not among the results. */
export async function measureLatency(scenario, place) {
  const subjects = await place.subjects();
  const [capacity, failed] = [{}, {}];
  for (const [name, subject] of Object.entries(subjects)) {
    const outcome = await tolerant(name, () => calibrate(scenario, subject, place));
    if (outcome.error === undefined) capacity[name] = outcome.value;
    else failed[name] = outcome.error;
  }
  const { rate, half } = rateOf(capacity, place.options.rate);
  const able = Object.values(subjects).filter(({ name }) => capacity[name] > rate * ROOM);
  const results = await place.run({
    kind: 'open',
    targets: able.map(({ name, port, headers }) => ({ name, port, request: withHeaders(scenario.request, headers) })),
    ...{ rate, sliceMs: SLICE_MS, warmupSlices: WARMUP_SLICES },
    slices: place.options.seconds * place.options.rounds,
  });
  for (const [name, { failures }] of Object.entries(results)) {
    if (failures !== null) throw new Error(`${scenario.name}, ${name}: ${failures}`);
  }
  const [admission] = await runAdmission(place, place.postgres, { rates: [rate], seconds: place.options.seconds });
  return { measured: scenario.measured, rate, half, capacity, admission, results, failed };
}

async function calibrate(scenario, subject, place) {
  const { connections, warmupSeconds, seconds } = CALIBRATION;
  return (await measureOnce({ ...scenario, connections }, subject, place, warmupSeconds, seconds)).rate;
}

function rateOf(capacity, wanted) {
  if (wanted !== null) return { rate: wanted, half: 'as BENCH_RATE says' };
  const name = capacity[BARE] / 2 > capacity[OURS] / ROOM ? OURS : BARE;
  return { rate: Math.round(capacity[name] / 2), half: `half of what the ${name} carries` };
}

const withHeaders = (request, headers) => ({ ...request, headers: [...request.headers, ...headers] });
