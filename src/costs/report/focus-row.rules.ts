import type { Account } from '../accounts.rules.js';
import { DAY_MS } from '../days.rules.js';
import { formatNanos } from '../pricing/price-text.rules.js';
import type { CostRecord } from '../stores/cost-export.store.js';
import { TOKEN_KINDS } from '../usage-kinds.data.js';
import type { CsvCell } from './csv.rules.js';

/** The account that a record belongs to. */
export type FocusAccount = Pick<Account, 'label' | 'region'>;

type Value = (record: CostRecord, account: FocusAccount) => CsvCell;

const timeOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
const monthStart: Value = ({ day }) => `${day.slice(0, 'YYYY-MM'.length)}-01T00:00:00Z`;
const monthEnd: Value = ({ day }) => timeOf(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1));

const cost: Value = ({ nanos }) => formatNanos(nanos);
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
export const focusCells = (record: CostRecord, account: FocusAccount): CsvCell[] =>
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
