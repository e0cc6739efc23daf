import type { GatewayRow } from '../../../src/costs/reconcile/comparison.rules.js';
import { csvRows } from '../../../src/platform/csv/csv-rows.rules.js';
import { ExportReader, type ProviderExport } from '../../../src/costs/reconcile/export-reader.js';
import { GATEWAY_COLUMN_NAMES } from '../../../src/costs/reconcile/measures.data.js';

interface Given extends Partial<Omit<GatewayRow, 'columns'>> {
  readonly day: string;
  readonly columns?: Partial<GatewayRow['columns']>;
}

/** A row with one request, whose other figures are 0. */
export function gatewayRow({ columns = {}, ...given }: Given): GatewayRow {
  const requests = given.requests ?? 1;
  const zeros = Object.fromEntries(GATEWAY_COLUMN_NAMES.map((name) => [name, 0n])) as GatewayRow['columns'];
  return {
    model: 'gpt-4o',
    provider: 'openai',
    unpricedRequests: 0,
    estimatedRequests: 0,
    backfilledRequests: 0,
    ...given,
    requests,
    columns: { ...zeros, requests: BigInt(requests), ...columns },
  };
}

export const DOLLAR = 1_000_000_000n;

/** @param dollars an amount per day, from 2026-10-01 */
export const costRows = (dollars: readonly number[], given: Partial<Given> = {}): GatewayRow[] =>
  dollars.map((amount, n) =>
    gatewayRow({ day: dayAt(n), columns: { cost_nanos: BigInt(Math.round(amount * 1e9)) }, ...given }),
  );

export const dayAt = (n: number): string => `2026-10-${String(n + 1).padStart(2, '0')}`;

export function readExport(csv: string): ProviderExport {
  const reader = new ExportReader('auto');
  for (const row of csvRows(csv)) reader.add(row);
  return reader.end();
}

/** OpenAI's cost export with an amount per day, from 2026-10-01. Null leaves a day out. */
export const costExport = (amounts: readonly (string | null)[], lineItem = 'gpt-4o, input'): ProviderExport =>
  readExport(
    [
      'start_time_iso,amount_value,amount_currency,line_item',
      ...amounts.flatMap((amount, n) => (amount === null ? [] : [`${dayAt(n)},${amount},usd,"${lineItem}"`])),
    ].join('\n'),
  );
