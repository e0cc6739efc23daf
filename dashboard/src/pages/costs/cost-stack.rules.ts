import { STACK_COLORS, type ChartSeries } from '../../parts/chart-series';
import { nanosOf } from '../../parts/dollars';
import type { CostGroup, Costs } from './cost-calls';
import type { CostDimension } from './cost-dimensions.data';

export const STACKED_MAX = STACK_COLORS.parts.length;
const OTHERS = 'others';

interface DayStack {
  readonly date: string;
  readonly nanos: ReadonlyMap<string, bigint>;
  /** The number of requests without a price. */
  readonly unpriced: number;
}

/**
 * Splits each day into parts and the rest of its total.
 * @param days groups by day
 * @param parts groups by day and dimension, of the most expensive values
 */
export function stackOf(
  days: readonly CostGroup[],
  parts: Costs,
  { idOf, nameOf }: CostDimension,
): { readonly rows: readonly DayStack[]; readonly series: readonly ChartSeries[] } {
  const series = seriesOf(parts, { idOf, nameOf });
  const others = parts.total > series.size;
  const rows = days.map((day) => {
    const nanos = new Map<string, bigint>();
    for (const part of parts.groups) if (part.day === day.day) nanos.set(series.get(idOf(part))!.name, nanosIn(part));
    const listed = [...nanos.values()].reduce((sum, one) => sum + one, 0n);
    // The two reads happen at different times, so the total can be older than the parts.
    const rest = nanosIn(day) - listed;
    if (others) nanos.set(OTHERS, rest > 0n ? rest : 0n);
    return { date: day.day ?? '', nanos, unpriced: day.unpriced_requests };
  });
  const rest: ChartSeries = { name: OTHERS, label: 'All others', color: STACK_COLORS.others };
  return { rows, series: [...series.values(), ...(others ? [rest] : [])] };
}

/**
 * Returns series by ID, the most expensive first. A series is not named by its ID, because the chart library reads a dot as a
 * path.
 */
function seriesOf({ groups }: Costs, { idOf, nameOf }: Pick<CostDimension, 'idOf' | 'nameOf'>) {
  const sums = new Map<string, bigint>();
  for (const group of groups) sums.set(idOf(group), (sums.get(idOf(group)) ?? 0n) + nanosIn(group));
  const names = new Map(groups.map((group) => [idOf(group), nameOf(group)]));
  const ids = [...sums.keys()].toSorted(
    (a, b) => Number(sums.get(b)! > sums.get(a)!) - Number(sums.get(b)! < sums.get(a)!),
  );
  return new Map(
    ids.map((id, index) => [
      id,
      { name: `part${index}`, label: names.get(id) ?? id, color: STACK_COLORS.parts[index]! },
    ]),
  );
}

const nanosIn = ({ cost }: CostGroup): bigint => (cost === null ? 0n : nanosOf(cost));
