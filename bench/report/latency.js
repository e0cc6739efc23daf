import { BARE, OURS } from '../subjects.js';
import { number, table } from './table.js';
import { spread } from './throughput.js';

export function reportLatency({ measured, rate, half, capacity, admission, results }) {
  const bare = results[BARE];
  const rows = Object.entries(results).map(([name, figures]) => {
    const { p50, p99 } = figures[measured];
    const added = name === BARE ? ['', ''] : [number(p50 - bare[measured].p50), number(p99 - bare[measured].p99)];
    const slices =
      name === BARE
        ? ''
        : spread(figures.slices.map((slice, at) => slice[measured].p50 - bare.slices[at][measured].p50));
    return [name, number(p50), number(p99), ...added, slices];
  });
  const absent = Object.keys(capacity).filter((name) => !(name in results));
  const late = bare.generatorLate;
  return [
    `  ${rate} requests per second: ${half} (${Object.entries(capacity)
      .map(([name, each]) => `${name} ${number(each)}`)
      .join(', ')}). Latency counts from the planned time.`,
    ...(absent.length === 0 ? [] : [`  Cannot sustain this rate: ${absent.join(', ')}.`]),
    '',
    table([['subject', 'p50 ms', 'p99 ms', 'added p50', 'added p99', 'added p50 per slice'], ...rows]),
    '',
    `  Admission alone at this rate: p50 ${number(admission.p50)} ms, p99 ${number(admission.p99)} ms; ` +
      `added latency without it: p50 ${number(results[OURS][measured].p50 - bare[measured].p50 - admission.p50)} ms.`,
    `  The load generator was ${number(late.p50)} ms (p50) and ${number(late.p99)} ms (p99) late.`,
  ].join('\n');
}
