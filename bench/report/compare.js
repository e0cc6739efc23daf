// Compares two runs. The bare proxy of each run represents the machine and its load at that time.
import { median } from '../load/percentiles.js';
import { BARE } from '../subjects.js';
import { number, table } from './table.js';
import { COLUMNS } from './throughput.js';

const COMPARED = ['rate', 'p50', 'p99', 'firstByte', 'cpu', 'cpuChunk'];

export function compare(a, b) {
  const heading = ['A', 'B'].map((name, at) => {
    const { commit, at: when, machine, database } = [a, b][at].facts;
    return `${name}: ${commit}, ${when}, ${database}; ${machine}`;
  });
  const tables = b.scenarios.flatMap((scenario) => {
    const before = a.scenarios.find(({ name }) => name === scenario.name);
    const rows = before === undefined ? [] : (ROWS[scenario.kind] ?? (() => []))(before, scenario);
    return rows.length === 0
      ? []
      : [`\n${scenario.name}\n\n${table([['', 'A', 'B', 'B ÷ A', 'vs. bare proxy'], ...rows])}`];
  });
  return [...heading, ...tables].join('\n');
}

const ROWS = {
  throughput: (before, after) =>
    shared(before.results, after.results).flatMap((name) =>
      COMPARED.filter((column) => COLUMNS[column].when?.(after) ?? true).map((column) => {
        const figure = ({ results }, subject) => median(results[subject].map(COLUMNS[column].of));
        const beside = figure(after, name) / figure(after, BARE) / (figure(before, name) / figure(before, BARE));
        const label = `${name}, ${COLUMNS[column].head(after)}`;
        return [...row(label, figure(before, name), figure(after, name)), name === BARE ? '' : number(beside)];
      }),
    ),
  latency: (before, after) =>
    shared(before.results, after.results).flatMap((name) =>
      ['p50', 'p99'].map((share) => {
        const of = ({ results, measured }) => results[name][measured][share];
        return [...row(`${name}, ${share} ms`, of(before), of(after)), ''];
      }),
    ),
  held: (before, after) =>
    shared(before.results, after.results).map((name) => {
      const of = ({ results }) => results[name].perStream / 1024;
      return [...row(`${name}, KiB per stream`, of(before), of(after)), ''];
    }),
  validation: byLabel(
    ({ body }) => `${body}, µs`,
    ({ us }) => us,
  ),
  admission: byLabel(
    ({ store, how }) => `${store}, ${how}, p50 ms`,
    ({ p50 }) => p50,
  ),
  'cold-start': byLabel(
    ({ database }) => `${database}, ms`,
    ({ medianMs }) => medianMs,
  ),
};

function byLabel(label, figure) {
  return (before, after) =>
    after.rows.flatMap((one) => {
      const other = before.rows.find((row) => label(row) === label(one));
      return other === undefined ? [] : [[...row(label(one), figure(other), figure(one)), '']];
    });
}

const shared = (one, other) => Object.keys(other).filter((name) => name in one);
const row = (label, was, is) => [label, number(was), number(is), number(is / was)];
