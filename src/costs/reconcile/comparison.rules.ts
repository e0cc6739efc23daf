import { dayAfter, daysBetween, isWithin } from '../days.rules.js';
import { NANO_DECIMALS } from '../pricing/price-text.rules.js';
import { sumOfCounts, type RequestCounts } from '../report/cost-figures.rules.js';
import { addTo, tooManyPairs, type Figures, type Sums } from './day-model-sums.js';
import type { ProviderExport } from './export-reader.js';
import { GATEWAY_COLUMNS, type GatewayColumn, type Measure } from './measures.data.js';

export interface GatewayRow extends RequestCounts {
  /** Such as `2026-07-31`. */
  readonly day: string;
  /** Empty for requests without a model. */
  readonly model: string;
  /** The name of the upstream. */
  readonly provider: string;
  readonly columns: Readonly<Record<GatewayColumn, bigint>>;
}

/** Both sides of a day, of a model on a day, or of all days. The counts are those of the gateway. */
export interface Compared extends RequestCounts {
  readonly provider: Figures;
  readonly gateway: Figures;
  /** The number of rows of the export. */
  readonly rows: number;
  readonly foundIn: 'both' | 'provider' | 'gateway';
  /** Whether all figures are equal, or differ by no more than the export's rounding. */
  readonly matches: boolean;
}

export interface ComparedDay extends Compared {
  readonly day: string;
}

export interface ComparedModel extends ComparedDay {
  /** Empty for usage without a model. */
  readonly model: string;
  readonly providerModels: readonly string[];
  readonly gatewayModels: readonly string[];
}

export interface Comparison {
  readonly totals: Compared;
  readonly days: readonly ComparedDay[];
  /** By day and model. Null if the export has no models. */
  readonly models: readonly ComparedModel[] | null;
  /** The gateway's figures of each day, including the day before and the day after the export. */
  readonly gatewayDays: ReadonlyMap<string, Figures>;
}

const PAIRS_MAX = 20_000;

/** @param rows the gateway's records from the day before the export to the day after it */
export function compare(file: ProviderExport, rows: readonly GatewayRow[]): Comparison {
  const { from, to, sums } = file;
  const within = rows.filter(({ day }) => isWithin(day, file));
  const labels = labelsOf(sums.models(), new Set(within.map(({ model }) => model)));
  const byDay = Map.groupBy(within, ({ day }) => day);
  const days: Draft[] = [];
  const models: Draft[] = [];
  for (let n = 0; n < daysBetween(from, to); n++) {
    const day = dayAfter(from, n);
    const drafts = draftsOf(file, labels, day, byDay.get(day) ?? []);
    if (drafts.length > 0) days.push(sumOf(day, drafts));
    models.push(...drafts.toSorted((a, b) => (a.model < b.model ? -1 : 1)));
    if (models.length > PAIRS_MAX) throw tooManyPairs();
  }
  const gatewayDays = Map.groupBy(rows, ({ day }) => day);
  return {
    totals: comparedOf(sumOf('', days), file),
    days: days.map((draft) => ({ day: draft.day, ...comparedOf(draft, file) })),
    models: file.hasModels ? models.map((draft) => modelOf(draft, file)) : null,
    gatewayDays: new Map([...gatewayDays].map(([day, all]) => [day, figuresOf(all, file)])),
  };
}

interface Draft {
  readonly day: string;
  readonly model: string;
  readonly provider: Sums;
  readonly gateway: Sums;
  readonly providerModels: string[];
  readonly gatewayModels: Set<string>;
  counts: RequestCounts;
}

const emptyDraft = (day: string, model: string): Draft => ({
  day,
  model,
  provider: { figures: new Map(), rows: 0 },
  gateway: { figures: new Map(), rows: 0 },
  providerModels: [],
  gatewayModels: new Set(),
  counts: sumOfCounts([]),
});

function draftsOf(
  file: ProviderExport,
  labels: ReadonlyMap<string, string>,
  day: string,
  rows: readonly GatewayRow[],
): Draft[] {
  const drafts = new Map<string, Draft>();
  const draftOf = (model: string) => {
    const label = labels.get(model) ?? model;
    const draft = drafts.get(label) ?? emptyDraft(day, label);
    drafts.set(label, draft);
    return draft;
  };
  for (const [model, { figures, rows: count }] of file.sums.of(day)) {
    const draft = draftOf(model);
    addTo(draft.provider, figures, count);
    draft.providerModels.push(model);
  }
  for (const row of rows) {
    const draft = draftOf(row.model);
    addTo(draft.gateway, figuresOf([row], file), 1);
    draft.gatewayModels.add(row.model);
    draft.counts = sumOfCounts([draft.counts, row]);
  }
  return [...drafts.values()];
}

function figuresOf(rows: readonly GatewayRow[], { measures }: ProviderExport): Map<Measure, bigint> {
  const figures = new Map<Measure, bigint>();
  for (const [measure, fields] of measures) {
    const columns = fields.flatMap((field) => GATEWAY_COLUMNS[field]);
    let sum = 0n;
    for (const row of rows) for (const column of columns) sum += row.columns[column];
    figures.set(measure, sum);
  }
  return figures;
}

function sumOf(day: string, drafts: readonly Draft[]): Draft {
  const sum = emptyDraft(day, '');
  for (const draft of drafts) {
    addTo(sum.provider, draft.provider.figures, draft.provider.rows);
    addTo(sum.gateway, draft.gateway.figures, draft.gateway.rows);
  }
  sum.counts = sumOfCounts(drafts.map(({ counts }) => counts));
  return sum;
}

function comparedOf(draft: Draft, { measures, decimals }: ProviderExport): Compared {
  const { provider, gateway, counts } = draft;
  const tolerance = roundingOf(provider.rows, counts.requests, decimals);
  const matches = [...measures.keys()].every((measure) => {
    const difference = (gateway.figures.get(measure) ?? 0n) - (provider.figures.get(measure) ?? 0n);
    return measure === 'cost' ? -tolerance <= difference && difference <= tolerance : difference === 0n;
  });
  return {
    provider: provider.figures,
    gateway: gateway.figures,
    rows: provider.rows,
    ...counts,
    matches,
    foundIn: gateway.rows === 0 ? 'provider' : provider.rows === 0 ? 'gateway' : 'both',
  };
}

/**
 * The difference, in nano-dollars, that rounding explains. A row of the export is off by up to half of its last decimal. The sum
 * of many rows is off by less than that for each row, so it is limited to three standard deviations. The gateway rounds each
 * request up to a nano-dollar.
 */
function roundingOf(rows: number, requests: number, decimals: number): bigint {
  const halves = Math.min(rows, Math.ceil(Math.sqrt(3 * rows)));
  const unit = 10n ** BigInt(Math.max(NANO_DECIMALS - decimals, 0));
  return (BigInt(halves) * unit + 1n) / 2n + BigInt(requests);
}

const modelOf = (draft: Draft, file: ProviderExport): ComparedModel => ({
  day: draft.day,
  model: draft.model,
  providerModels: draft.providerModels.toSorted(),
  gatewayModels: [...draft.gatewayModels].toSorted(),
  ...comparedOf(draft, file),
});

/** `-2025-08-07`, `-20250929`, `-0613`, `@20250929` and `-latest`. */
const DATE_SUFFIX = /(?:[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6}|(?:0[1-9]|1[0-2])[0-3]\d)|-latest)$/;

/** The name without its date. Anthropic's cost export has display names: `Claude Haiku 4.5` is `claude-haiku-4-5`. */
export function familyOf(model: string): string {
  const name = /\s/.test(model) ? model.toLowerCase().replace(/[\s._]+/g, '-') : model;
  return name.replace(DATE_SUFFIX, '');
}

/**
 * The names under which models of both sides are compared. Providers report the dated model that a request without a date
 * used. If the gateway has a name that the export lacks, all models of the family are compared as one.
 *
 * @returns the label of each name
 */
export function labelsOf(provider: ReadonlySet<string>, gateway: ReadonlySet<string>): ReadonlyMap<string, string> {
  const families = Map.groupBy(new Set([...provider, ...gateway]), familyOf);
  const labels = new Map<string, string>();
  for (const [family, names] of families) {
    const known = names.filter((name) => gateway.has(name));
    const exact = known.every((name) => provider.has(name)) || known.length === names.length;
    for (const name of names) labels.set(name, exact ? name : family);
  }
  return labels;
}
