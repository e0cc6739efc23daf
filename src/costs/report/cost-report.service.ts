import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions.js';
import { invalidInput } from '../../platform/errors/error-factories.js';
import { isWithin, monthAt, monthBefore, recentDays, type Days } from '../days.rules.js';
import { CostReportStore, type DayFigures, type StoredValueQuery } from '../stores/cost-report.store.js';
import { rowFilterOf } from './row-filter.read-model.js';
import { sumOf, type CostFigures } from './cost-figures.rules.js';
import { dimensionOf, type CostQuery } from './cost-query.js';
import { costForecastOf, type CostForecast } from './forecast.rules.js';

export interface MonthFigures extends CostFigures {
  /** Such as `2026-07`. */
  readonly month: string;
}

export interface CostReport {
  /** Sums of all groups, including those outside the page. */
  readonly totals: CostFigures;
  readonly groups: readonly CostGroup[];
  /** Number of groups or, with two dimensions, of values of the second one. */
  readonly total: number;
  readonly thisMonth: MonthFigures;
  readonly lastMonth: MonthFigures;
  /** False if the page has more groups than `rowsMax`. Then not all of them are in `groups`. */
  readonly complete: boolean;
  /** Of this month. Null until it has a complete day with costs. */
  readonly forecast: CostForecast | null;
}

export interface CostGroup extends CostFigures {
  readonly day: string | null;
  /** Null if groups are only days. Empty for requests without this value. */
  readonly value: string | null;
  /** The name of a key or a team. */
  readonly name: string | null;
}

const VALUES_PER_STATEMENT = 500;

/** Reading as many rows takes about a second. The statement timeout is less than two seconds. */
const ROWS_READ_MAX = 1_500_000;

const LATER_DAY = `a later day, because this report would read too many rows. \
Reports of a key can have any range, and so can reports with one filter whose groups are not days`;

/** Reports recorded costs. Reports are exact, at most a second behind, and all figures of a report are from one snapshot. */
@Injectable()
export class CostReports {
  constructor(private readonly store: CostReportStore) {}

  /** @throws GatewayError `validation_error` if the database would have to read too many rows */
  read(query: CostQuery, nowMs: number): Promise<CostReport> {
    const { days: range, grouping } = query;
    const [month, before] = [monthAt(nowMs), monthBefore(nowMs)];
    return this.store.inSnapshot(async (transaction) => {
      const filter = await rowFilterOf(transaction, query.filter);
      const stored = { ...query, filter };
      if ((await this.store.rowsRead(transaction, stored)) > ROWS_READ_MAX) throw invalidInput('since', LATER_DAY);
      const all = await this.store.days(transaction, filter, [range, recentDays(nowMs)]);
      const daysOf = (days: Days) => all.filter(({ day }) => isWithin(day, days));
      const within = daysOf(range);
      const dimension = dimensionOf(grouping);
      const page =
        dimension === null ? pageOfDays(within, query) : await this.pageOfValues(transaction, { ...stored, dimension });
      const [current, past] = [daysOf(month), daysOf(before)];
      return {
        ...page,
        totals: sumOf(within),
        thisMonth: { month: month.name, ...sumOf(current) },
        lastMonth: { month: before.name, ...sumOf(past) },
        forecast: costForecastOf(current, past.length > 0, nowMs),
      };
    });
  }

  private async pageOfValues(transaction: Transaction, query: StoredValueQuery): Promise<GroupPage> {
    const { rowsMax } = query;
    const { total, values } = await this.store.ranking(transaction, query);
    const groups: CostGroup[] = [];
    for (let at = 0; at < values.length; at += VALUES_PER_STATEMENT) {
      // Each value has at least one group.
      if (values.length > rowsMax || groups.length > rowsMax) return { total, groups, complete: false };
      const part = values.slice(at, at + VALUES_PER_STATEMENT);
      const among = part.map(({ value }) => value);
      const sums = await this.store.sums(transaction, query, among, rowsMax + 1);
      const byValue = Map.groupBy(sums, ({ value }) => value);
      for (const { value, name } of part)
        for (const figures of byValue.get(value) ?? []) groups.push({ ...figures, name });
    }
    return { total, groups, complete: groups.length <= rowsMax };
  }
}

type GroupPage = Pick<CostReport, 'total' | 'groups' | 'complete'>;

function pageOfDays(days: readonly DayFigures[], { sort, limit, offset }: CostQuery): GroupPage {
  const groups = days.map((day): CostGroup => ({ ...day, value: null, name: null }));
  // The store returns days in order.
  if (sort === 'cost') groups.sort((a, b) => Number(b.nanos > a.nanos) - Number(b.nanos < a.nanos));
  if (sort === 'requests') groups.sort((a, b) => b.requests - a.requests);
  return { total: groups.length, groups: groups.slice(offset, offset + limit), complete: true };
}
