// Measures the latency that the gateway adds. The rate is half of the bare proxy's maximum, or half of the gateway's maximum if the
// former is too high for the gateway.
import { BARE, OURS } from '../subjects.js';
import { runAdmission } from './admission.js';
import { FIRST_WARMUP_SECONDS, measureOnce, tolerant } from './throughput.js';

const CALIBRATION = { connections: 64, warmupSeconds: FIRST_WARMUP_SECONDS, seconds: 2 };
const SLICE_MS = 1000;
const WARMUP_SLICES = 2;
/** Subjects with less capacity than this multiple of the rate are omitted, because they would only measure their own queue. */
const ROOM = 1.2;

/** @returns `{measured, rate, half, capacity, admission, results}`; the results omit subjects that cannot sustain the rate */
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
    rate,
    sliceMs: SLICE_MS,
    warmupSlices: WARMUP_SLICES,
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
  if (wanted !== null) return { rate: wanted, half: 'set by BENCH_RATE' };
  const name = capacity[BARE] / 2 > capacity[OURS] / ROOM ? OURS : BARE;
  return { rate: Math.round(capacity[name] / 2), half: `half of the maximum of the ${name}` };
}

const withHeaders = (request, headers) => ({ ...request, headers: [...request.headers, ...headers] });
