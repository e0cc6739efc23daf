// What was measured, for people.
import { pinned } from '../system/processes.js';
import { reportLatency } from './latency.js';
import { mebibytes, number, table } from './table.js';
import { reportThroughput } from './throughput.js';

const REPORTS = {
  throughput: reportThroughput,
  latency: reportLatency,
  held: ({ connections, results }) =>
    table([
      ['subject', 'RSS before MiB', `with ${connections}`, 'afterwards', 'KiB a stream'],
      ...Object.entries(results).map(([name, { before, during, after, perStream }]) => [
        name,
        ...[before, during, after].map(mebibytes),
        number(perStream / 1024),
      ]),
    ]),
  validation: ({ rows }) => table([['body', 'µs'], ...rows.map(({ body, us }) => [body, number(us)])]),
  admission: ({ rows }) =>
    table([
      ['store', 'asked', 'admitted/s', 'p50 ms', 'p99 ms'],
      ...rows.map(({ store, how, rate, p50, p99 }) => [store, how, number(rate), number(p50), number(p99)]),
    ]),
  'cold-start': ({ rows }) =>
    table([
      ['database', 'median ms', 'least', 'greatest', 'the first, which makes it'],
      ...rows.map(({ database, medianMs, minMs, maxMs, firstMs }) => [
        database,
        ...[medianMs, minMs, maxMs, firstMs].map(number),
      ]),
    ]),
};

/** One scenario. */
export function report(measured) {
  const { kind, name, title, failed = {} } = measured;
  const absent = Object.values(failed).map((why) => `\n  Left out: ${why}.\n`);
  return `\n${name}: ${title}\n\n${REPORTS[kind](measured)}\n${absent.join('')}`;
}

/** What stands above all tables. */
export function reportFacts({ facts, options }) {
  const { machine, node, commit, dist, database } = facts;
  const { rounds, seconds, settings } = options;
  const set = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [
    `Gateway ${commit} (${dist}), Node ${node}, on ${database}; ${machine}.`,
    `${rounds} rounds of ${seconds} s each, in turn; medians.${set.length === 0 ? '' : ` Set: ${set.join(', ')}.`}`,
    ...(pinned
      ? ['The measured process has core 0 to itself; load and provider have the others.']
      : ['No taskset, or one core: nothing is kept apart, ratios are rough.']),
    ...(pinned && !database.startsWith('embedded')
      ? ['The database server is not ours: its processes run on any core, the measured one too.']
      : []),
  ].join('\n');
}
