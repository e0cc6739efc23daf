import { median } from '../load/percentiles.js';
import { BARE } from '../subjects.js';
import { mebibytes, number, table } from './table.js';

export const COLUMNS = {
  rate: { head: ({ unit }) => `${unit}s/s`, of: (round) => round.rate, when: ({ paced }) => !paced },
  chunks: { head: () => 'chunks/s', of: (round) => round.chunksPerSecond, when: ({ unit }) => unit === 'stream' },
  p50: { head: () => 'p50 ms', of: (round) => round.latency.p50, when: ({ paced }) => !paced },
  p99: { head: () => 'p99 ms', of: (round) => round.latency.p99, when: ({ paced }) => !paced },
  firstByte: { head: () => 'first byte p50', of: (round) => round.firstByte.p50 },
  firstByte99: { head: () => 'p99', of: (round) => round.firstByte.p99 },
  delay: { head: () => 'chunk delay p50', of: (round) => round.chunkDelay?.p50, when: ({ unit }) => unit === 'stream' },
  delay99: { head: () => 'p99', of: (round) => round.chunkDelay?.p99, when: ({ unit }) => unit === 'stream' },
  cpu: { head: ({ unit }) => `CPU µs/${unit}`, of: (round) => round.cpuUs, when: ({ paced }) => !paced },
  cpuChunk: { head: () => 'CPU µs/chunk', of: (round) => round.cpuUsPerChunk, when: ({ unit }) => unit === 'stream' },
  busy: { head: () => 'core busy %', of: (round) => round.busy * 100 },
};

const RATIOS = ['rate', 'p50', 'p99', 'firstByte', 'delay', 'cpu', 'cpuChunk'];

const columnsOf = (scenario) => Object.entries(COLUMNS).filter(([, { when }]) => when?.(scenario) ?? true);

export function reportThroughput(scenario) {
  const columns = columnsOf(scenario);
  const figures = Object.entries(scenario.results).map(([name, rounds]) => [
    name,
    ...columns.map(([, { of }]) => number(median(rounds.map(of)))),
    mebibytes(rounds.at(-1).rssBytes),
  ]);
  const heads = ['subject', ...columns.map(([, { head }]) => head(scenario)), 'RSS MiB'];
  return [table([heads, ...figures]), ratios(scenario, columns), ...idle(scenario)].join('\n\n');
}

/** Ratios to the bare proxy of the same round: the median, with minimum and maximum in parentheses. */
function ratios(scenario, columns) {
  const chosen = columns.filter(([name]) => RATIOS.includes(name));
  const rows = Object.entries(scenario.results)
    .filter(([name]) => name !== BARE)
    .map(([name, rounds]) => [
      name,
      ...chosen.map(([, { of }]) => spread(roundRatios(rounds, scenario.results[BARE], of))),
    ]);
  return table([['÷ bare proxy', ...chosen.map(([, { head }]) => head(scenario))], ...rows]);
}

const roundRatios = (rounds, bare, of) => rounds.map((round, at) => of(round) / of(bare[at]));

export function spread(values) {
  if (!values.every(Number.isFinite)) return '–';
  return `${number(median(values))} (${number(Math.min(...values))} to ${number(Math.max(...values))})`;
}

const BUSY = 0.9;

/** If a subject's core was not busy, the load, the provider or the database was the limit. Its rate is a lower bound. */
function idle({ paced, results }) {
  if (paced) return [];
  const names = Object.entries(results).filter(([, rounds]) => median(rounds.map(({ busy }) => busy)) < BUSY);
  if (names.length === 0) return [];
  return [
    `  The provider, the load, or the database limited the rate of: ${names.map(([name]) => name).join(', ')}. Compare their CPU time instead.`,
  ];
}
