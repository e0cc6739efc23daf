import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { accountsOf, type Account } from '../accounts.rules.js';
import type { Days } from '../days.rules.js';
import { CostExportStore, type RecordPosition } from '../stores/cost-export.store.js';
import type { CostFilter } from './cost-query.js';
import { csvLine } from './csv.rules.js';
import { FOCUS_COLUMNS, focusCells, type FocusAccount } from './focus-row.rules.js';

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
  async read(days: Days, filter: CostFilter): Promise<AsyncIterable<string>> {
    const parts = this.parts(days, filter);
    const first = await parts.next();
    return (async function* () {
      if (!first.done) yield first.value;
      yield* parts;
    })();
  }

  private async *parts(days: Days, filter: CostFilter): AsyncGenerator<string, void> {
    const accounts = accountsOf(this.config);
    let head = csvLine(FOCUS_COLUMNS);
    for (let after: RecordPosition | null = null; ;) {
      const page = await this.store.page(days, filter, after, RECORDS_PER_PAGE);
      yield head + page.map((record) => csvLine(focusCells(record, accountOf(record.provider, accounts)))).join('');
      head = '';
      if (page.length < RECORDS_PER_PAGE) return;
      after = page.at(-1)!;
    }
  }
}

/** Costs before they were recorded name no account. Their account is the first one, which is the only one without `GW_UPSTREAMS`. */
function accountOf(name: string, accounts: readonly Account[]): FocusAccount {
  const found = name === '' ? accounts[0] : accounts.find((account) => account.name === name);
  return found ?? { label: name || 'unknown', region: null };
}
