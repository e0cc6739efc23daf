import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { accountsOf, type Account } from '../upstream-accounts.rules.js';
import { type Days, DAY_MS } from '../days.rules.js';
import { CostExportStore, type RecordPosition, type CostRecord } from '../stores/cost-export.store.js';
import type { CostFilter } from './cost-query.js';
import { exactCsvLine, type CsvCell } from '../../platform/csv/csv-line.rules.js';
import { startedParts } from '../../platform/csv/csv-stream.js';
import { formatNanos } from '../pricing/price-text.rules.js';
import { TOKEN_KINDS } from '../usage-kinds.data.js';

const RECORDS_PER_PAGE = 2_000;

/** Exports recorded costs in the format of FOCUS 1.2, for FinOps tools. */
@Injectable()
export class FocusExport {
  constructor(
    private readonly store: CostExportStore,
    private readonly config: Config,
  ) {}

  /**
   * The parts of a CSV file with a header. The first part is read before the promise resolves, so that an unavailable database does
   * not end a response that has begun. Records of today can change while the export runs.
   */
  read(days: Days, filter: CostFilter): Promise<AsyncIterable<string>> {
    return startedParts(this.parts(days, filter));
  }

  private async *parts(days: Days, filter: CostFilter): AsyncGenerator<string, void> {
    const accounts = accountsOf(this.config);
    const rowFilter = await this.store.filterOf(filter);
    let head = exactCsvLine(FOCUS_COLUMNS);
    for (let after: RecordPosition | null = null; ;) {
      const page = await this.store.page(days, rowFilter, after, RECORDS_PER_PAGE);
      yield (
        head + page.map((record) => exactCsvLine(focusCells(record, accountOf(record.provider, accounts)))).join('')
      );
      head = '';
      if (page.length < RECORDS_PER_PAGE) return;
      after = page.at(-1)!;
    }
  }
}

/**
 * Returns the account that a record's `provider` names. Backfilled records name none and get the first account, which is the only one
 * unless `GW_UPSTREAMS` is set.
 */
function accountOf(name: string, accounts: readonly Account[]): FocusAccount {
  const found = name === '' ? accounts[0] : accounts.find((account) => account.name === name);
  return found ?? { label: name || 'unknown', region: null };
}

/** The account that a record belongs to. */
type FocusAccount = Pick<Account, 'label' | 'region'>;

type Value = (record: CostRecord, account: FocusAccount) => CsvCell;

const timeOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const monthStart: Value = ({ day }) => `${day.slice(0, 'YYYY-MM'.length)}-01T00:00:00Z`;
/** The start of the next month. `Date.UTC` counts months from 0, so the month of `day`, from 1, is the next one. */
const monthEnd: Value = ({ day }) => timeOf(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1));

const cost: Value = ({ nanos }) => formatNanos(nanos);
/** Without `reasoning`, which is part of `output`. */
const tokensOf = ({ units }: CostRecord): number =>
  TOKEN_KINDS.reduce((sum, kind) => sum + (kind === 'reasoning' ? 0 : units[kind]), 0);
const quantity: Value = (record) => tokensOf(record) || record.requests;
const unit: Value = (record) => (tokensOf(record) > 0 ? 'Tokens' : 'Requests');
const provider: Value = (_record, { label }) => label;
const model: Value = (record) => record.model || null;
const sku: Value = ({ model: name, endpoint }) => name || endpoint || 'unknown';

/**
 * Columns of FOCUS 1.2: all that are mandatory or recommended, and the conditional ones that the gateway has values for. They are in
 * alphabetical order, as FOCUS recommends. A row is the cost of one key, model, endpoint and provider on one UTC day.
 */
const COLUMNS: Readonly<Record<string, Value>> = {
  AvailabilityZone: () => null,
  BilledCost: cost,
  BillingAccountId: ({ provider: name }, { label }) => name || label,
  BillingAccountName: ({ provider: name }, { label }) => name || label,
  BillingAccountType: () => 'Upstream',
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: monthEnd,
  BillingPeriodStart: monthStart,
  ChargeCategory: () => 'Usage',
  ChargeClass: () => null,
  ChargeDescription: (record) => descriptionOf(record),
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: ({ day }) => timeOf(Date.parse(day) + DAY_MS),
  ChargePeriodStart: ({ day }) => timeOf(Date.parse(day)),
  ConsumedQuantity: quantity,
  ConsumedUnit: unit,
  ContractedCost: cost,
  EffectiveCost: cost,
  InvoiceId: () => null,
  InvoiceIssuerName: provider,
  ListCost: cost,
  PricingCategory: () => 'Standard',
  PricingQuantity: quantity,
  PricingUnit: unit,
  ProviderName: provider,
  PublisherName: provider,
  RegionId: (_record, { region }) => region,
  RegionName: (_record, { region }) => region,
  ResourceId: model,
  ResourceName: model,
  ResourceType: (record) => (record.model === '' ? null : 'Model'),
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: () => 'Model inference',
  ServiceSubcategory: () => 'Generative AI',
  SkuId: sku,
  SkuPriceId: sku,
  SubAccountId: ({ keyId }) => keyId,
  SubAccountName: ({ keyName }) => keyName,
  SubAccountType: () => 'API key',
  Tags: (record) => JSON.stringify(tagsOf(record)),
};

export const FOCUS_COLUMNS: readonly string[] = Object.keys(COLUMNS);

const VALUES = Object.values(COLUMNS);

/** The cells of a record in the order of `FOCUS_COLUMNS`. */
const focusCells = (record: CostRecord, account: FocusAccount): CsvCell[] =>
  VALUES.map((valueOf) => valueOf(record, account));

function descriptionOf({ model: name, endpoint, requests }: CostRecord): string {
  const count = `${requests} request${requests === 1 ? '' : 's'}`;
  return `${count}${name === '' ? '' : ` to ${name}`}${endpoint === '' ? '' : ` at ${endpoint}`}`;
}

/** Values of tags are text. Marks that do not apply are omitted. */
function tagsOf(record: CostRecord) {
  const { teamName, endpoint, requests, unpricedRequests, estimatedRequests, backfilledRequests } = record;
  return {
    ...(teamName !== null && { team: teamName }),
    ...(endpoint !== '' && { endpoint }),
    requests: String(requests),
    ...(unpricedRequests > 0 && { unpriced_requests: String(unpricedRequests) }),
    ...(estimatedRequests > 0 && { estimated_requests: String(estimatedRequests) }),
    ...(backfilledRequests > 0 && { backfilled: 'true' }),
  };
}
