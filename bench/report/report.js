import { pinned } from '../system/processes.js';
import { reportLatency } from './latency.js';
import { mebibytes, number, table } from './table.js';
import { reportThroughput } from './throughput.js';

const REPORTS = {
  throughput: reportThroughput,
  latency: reportLatency,
  held: ({ connections, results }) =>
    table([
      ['subject', 'RSS before MiB', `with ${connections}`, 'afterwards', 'KiB per stream'],
      ...Object.entries(results).map(([name, { before, during, after, perStream }]) => [
        name,
        ...[before, during, after].map(mebibytes),
        number(perStream / 1024),
      ]),
    ]),
  validation: ({ rows }) => table([['body', 'µs'], ...rows.map(({ body, us }) => [body, number(us)])]),
  admission: ({ rows }) =>
    table([
      ['store', 'load', 'admitted/s', 'p50 ms', 'p99 ms'],
      ...rows.map(({ store, how, rate, p50, p99 }) => [store, how, number(rate), number(p50), number(p99)]),
    ]),
  'cold-start': ({ rows }) =>
    table([
      ['database', 'median ms', 'min', 'max', 'first start'],
      ...rows.map(({ database, medianMs, minMs, maxMs, firstMs }) => [
        database,
        ...[medianMs, minMs, maxMs, firstMs].map(number),
      ]),
    ]),
};

export function report(measured) {
  const { kind, name, title, failed = {} } = measured;
  const absent = Object.values(failed).map((why) => `\n  Omitted: ${why}.\n`);
  return `\n${name}: ${title}\n\n${REPORTS[kind](measured)}\n${absent.join('')}`;
}

export function reportFacts({ facts, options }) {
  const { machine, node, commit, dist, database } = facts;
  const { rounds, seconds, settings } = options;
  const set = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [
    `Gateway ${commit} (${dist}), Node ${node}, on ${database}; ${machine}.`,
    `Medians of ${rounds} alternating rounds of ${seconds} s.${set.length === 0 ? '' : ` Settings: ${set.join(', ')}.`}`,
    ...(pinned
      ? ['The measured process runs alone on core 0. The load generator and the provider use the other cores.']
      : ['Without taskset or with one core, processes share cores and the ratios are imprecise.']),
    ...(pinned && !database.startsWith('embedded')
      ? ['The external database server can use all cores, including core 0.']
      : []),
  ].join('\n');
}
