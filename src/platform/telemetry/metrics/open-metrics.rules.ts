import { familiesOf, type Figures, type MetricFamily, type MetricSample } from './figures.js';

export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const VERSIONS = ['1.0.0', '0.0.1'];

/**
 * Writes OpenMetrics 1.0.0. Series have the names and labels of the text format, because a Prometheus can switch between the formats.
 * The writer of prom-client would append `_total` a second time.
 */
export const openMetricsText = (figures: Figures): string => `${familiesOf(figures).map(familyText).join('')}# EOF\n`;

function familyText({ name, help, type, values }: MetricFamily): string {
  // The samples of a counter have the suffix, but the family does not.
  const family = type === 'counter' ? name.replace(/_total$/, '') : name;
  const head = `# HELP ${family} ${escaped(help)}\n# TYPE ${family} ${type === 'untyped' ? 'unknown' : type}\n`;
  return head + values.map((sample) => sampleText(name, sample)).join('');
}

function sampleText(name: string, { metricName = name, labels, value, exemplar }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`);
  const line = `${metricName}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
  if (exemplar === undefined || exemplar === null) return `${line}\n`;
  const labelSet = Object.entries(exemplar.labelSet).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${line} # {${labelSet.join(',')}} ${numberText(exemplar.value)} ${exemplar.timestamp}\n`;
}

const escaped = (text: string): string => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');

const numberText = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';

/**
 * Whether the scraper prefers OpenMetrics to the text format, by `Accept` (RFC 9110). A wildcard means the text format, which is
 * the default.
 */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(',').map(rangeOf);
  const open = ranges.filter(({ type, version }) => type === OPEN_TYPE && VERSIONS.includes(version ?? VERSIONS[0]!));
  const text = ranges.filter(({ type }) => type === 'text/plain');
  const [openQuality, textQuality] = [qualityOf(open), qualityOf(text)];
  return openQuality > 0 && openQuality >= textQuality;
}

const OPEN_TYPE = 'application/openmetrics-text';

interface MediaRange {
  readonly type: string;
  readonly version: string | undefined;
  readonly quality: number;
}

function rangeOf(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const valueOf = (name: string) => parameters.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(valueOf('q') ?? 1);
  return { type, version: valueOf('version'), quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

const qualityOf = (ranges: readonly MediaRange[]): number => Math.max(0, ...ranges.map(({ quality }) => quality));
