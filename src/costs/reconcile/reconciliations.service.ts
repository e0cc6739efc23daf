import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { invalidInput, validationError } from '../../platform/errors/error-factories.js';
import { TimeSlices } from '../../platform/fairness/time-slices.js';
import { listNames } from '../../platform/validation/scalar-kinds.js';
import { accountNames } from '../upstream-accounts.rules.js';
import { dayAfter, isWithin } from '../days.rules.js';
import { ReconcileStore } from '../stores/reconcile.store.js';
import { compare, type Comparison, type GatewayRow } from './comparison.rules.js';
import { csvRows } from '../../platform/csv/csv-rows.rules.js';
import type { ExportFormat } from './export-formats.data.js';
import { ExportReader, type ProviderExport } from './export-reader.js';
import { likelyCauses, type Cause } from './likely-causes.rules.js';
import { formatNanos } from '../pricing/price-text.rules.js';
import { absolute, differenceBetween, mainFigure } from './differences.rules.js';

export interface ReconcileInput {
  readonly csv: string;
  readonly format: ExportFormat | 'auto';
  /** The name of an upstream. Null for all. */
  readonly provider: string | null;
}

export interface Reconciliation {
  readonly provider: string | null;
  /** The upstreams that the gateway's figures are from. */
  readonly upstreams: readonly string[];
  readonly file: ProviderExport;
  readonly comparison: Comparison;
  readonly summary: string;
  readonly causes: readonly Cause[];
}

export const CSV_BYTES_MAX = 8 * 1024 * 1024;
/** Rows between checks of the time budget. */
const ROWS_PER_CHECK = 50;
const HOLDER = 'reconciliation';

/** Compares a provider's export with the recorded costs. It stores nothing. */
@Injectable()
export class Reconciliations {
  /** A large export takes a few hundred milliseconds, in which other requests are served. */
  private readonly slices = new TimeSlices();

  constructor(
    private readonly store: ReconcileStore,
    private readonly config: Config,
  ) {}

  /** @throws GatewayError `validation_error` for a wrong row, column, format or upstream; nothing is compared then */
  async reconcile({ csv, format, provider }: ReconcileInput): Promise<Reconciliation> {
    const file = await this.read(csv, format);
    const rows = await this.store.rows(dayAfter(file.from, -1), dayAfter(file.to, 1), provider);
    if (provider !== null && rows.length === 0) this.checkProvider(provider);
    const comparison = compare(file, this.withoutAliases(rows));
    const within = rows.filter(({ day }) => isWithin(day, file));
    // Records of older releases do not name an upstream.
    const named = within.map((row) => row.provider).filter((name) => name !== '');
    const upstreams = [...new Set(named)].toSorted();
    const causes = likelyCauses(file, comparison, upstreams);
    return { provider, upstreams, file, comparison, summary: summaryOf(file, comparison), causes };
  }

  /** A removed upstream can have records. Without records, a wrong name would make all usage in the export look missing. */
  private checkProvider(provider: string): void {
    const names = accountNames(this.config);
    if (!names.includes(provider))
      throw invalidInput('provider', `${listNames(names)}, or a removed upstream with costs on these days`);
  }

  private async read(csv: string, format: ExportFormat | 'auto'): Promise<ProviderExport> {
    if (Buffer.byteLength(csv) > CSV_BYTES_MAX)
      throw validationError('csv', `The file is larger than ${CSV_BYTES_MAX} bytes. Export fewer days.`);
    const reader = new ExportReader(format);
    let read = 0;
    for (const row of csvRows(csv)) {
      reader.add(row);
      const turn = ++read % ROWS_PER_CHECK === 0 ? this.slices.enter(HOLDER) : undefined;
      if (turn !== undefined) await turn;
    }
    return reader.end();
  }

  /** Providers report the model that an alias stands for. Aliases that the upstreams file no longer contains stay unchanged. */
  private withoutAliases(rows: readonly GatewayRow[]): GatewayRow[] {
    const upstreams = this.config.upstreams?.reloads.file.upstreams ?? [];
    const aliases = new Map(upstreams.map((upstream) => [upstream.name, upstream.aliases]));
    return rows.map((row) => ({ ...row, model: aliases.get(row.provider)?.get(row.model) ?? row.model }));
  }
}

/** A few sentences about the totals, the days that differ, and rounded amounts. */
export function summaryOf(file: ProviderExport, { totals, days }: Comparison): string {
  const costs = file.measures.has('cost');
  const { provider, gateway, difference, percent } = differenceBetween(
    mainFigure(totals.provider),
    mainFigure(totals.gateway),
  );
  const amount = (value: bigint) =>
    costs ? `$${formatNanos(value)}` : `${value} ${value === 1n ? 'token' : 'tokens'}`;
  const least = costs && totals.unpricedRequests > 0 ? 'at least ' : '';
  const share = percent === null ? '' : ` (${percent} %)`;
  const result =
    difference === 0n ? 'the same' : `${amount(absolute(difference))} ${difference > 0n ? 'more' : 'less'}${share}`;
  const period = file.from === file.to ? `On ${file.from}` : `From ${file.from} to ${file.to}`;
  const verb = costs ? 'billed' : 'counted';
  return [
    `${period}, the provider ${verb} ${amount(provider)} and the gateway recorded ${least}${amount(gateway)}: ${result}.`,
    daysText(days),
    roundedText(file.rounded),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function daysText(days: Comparison['days']): string {
  if (days.length === 0) return 'Neither side has usage on these days.';
  const differing = days.filter(({ matches }) => !matches).length;
  const one = days.length === 1;
  if (differing === 0) return one ? 'The day matches.' : `All ${days.length} days match.`;
  const countOf = (side: 'provider' | 'gateway') => days.filter(({ foundIn }) => foundIn === side).length;
  const [theirs, ours] = [countOf('provider'), countOf('gateway')];
  const only = [
    ...(theirs > 0 ? [`${theirs} only in the export`] : []),
    ...(ours > 0 ? [`${ours} only in the gateway's records`] : []),
  ];
  return `${differing} of ${days.length} ${one ? 'day differs' : 'days differ'}${only.length === 0 ? '' : `, ${only.join(' and ')}`}.`;
}

const roundedText = (count: number): string =>
  count === 0
    ? ''
    : `${count} ${count === 1 ? 'amount has' : 'amounts have'} more than nine decimals and ${count === 1 ? 'was' : 'were'} rounded.`;
