import { spawnSync } from 'node:child_process';

/** Returns what `promtool check metrics` reports, by `name problem`. Without promtool, the same rules are checked here. */
export function lintMetrics(text: string): readonly string[] {
  const { error, stderr, status } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  if (error !== undefined) return lintedHere(text);
  if (status !== 0 && stderr === '') return [`promtool exited with ${status}`];
  return stderr.split('\n').filter((line) => line !== '');
}

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: ReadonlySet<string>;
}

export function lintedHere(text: string): readonly string[] {
  return familiesOf(text).flatMap((family) => problemsOf(family).map((problem) => `${family.name} ${problem}`));
}

const ABBREVIATIONS = /_(s|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d)(_|$)/;
const OTHER_UNITS = /_(milliseconds|microseconds|minutes|hours|days|kilobytes|megabytes|bits|percent)(_|$)/;

function problemsOf({ name, help, type, labels }: Family): string[] {
  const problems: string[] = [];
  const check = (isWrong: boolean, problem: string) => isWrong && problems.push(problem);
  const isTotal = name.endsWith('_total');
  check(help === '', 'no help text');
  check(type === 'counter' && !isTotal, 'counter metrics should have "_total" suffix');
  check(type !== 'counter' && type !== 'untyped' && isTotal, 'non-counter metrics should not have "_total" suffix');
  if (type !== 'untyped') {
    check(type !== 'histogram' && labels.has('le'), 'non-histogram metrics should not have "le" label');
    check(type !== 'summary' && labels.has('quantile'), 'non-summary metrics should not have "quantile" label');
    const reserved = type === 'histogram' || type === 'summary' ? /_bucket$/ : /_(bucket|count|sum)$/;
    check(reserved.test(name), 'metric names should not have a reserved suffix');
  }
  check(/_(counter|gauge|histogram|summary)(_|$)/.test(name), 'metric name should not include type');
  check(name.includes(':'), "metric names should not contain ':'");
  check(/[a-z][A-Z]/.test(name), "metric names should be written in 'snake_case' not 'camelCase'");
  check(OTHER_UNITS.test(name), 'use base unit');
  check(ABBREVIATIONS.test(name), 'metric names should not contain abbreviated units');
  return problems;
}

function familiesOf(text: string): readonly Family[] {
  const lines = text.split('\n');
  return lines
    .filter((line) => line.startsWith('# TYPE '))
    .map((line) => {
      const [, , name = '', type = ''] = line.split(' ');
      const help = lines.find((other) => other.startsWith(`# HELP ${name} `))?.slice(`# HELP ${name} `.length) ?? '';
      const samples = lines.filter((other) => other.startsWith(`${name}{`) || other.startsWith(`${name}_bucket{`));
      const labels = samples.flatMap((sample) => [...sample.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
      return { name, help, type, labels: new Set(labels) };
    });
}
