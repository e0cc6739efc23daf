import { formatNanos } from '../pricing/price-text.rules.js';
import type { Comparison } from './comparison.rules.js';
import { absolute, differenceBetween, mainFigure } from './differences.rules.js';
import type { ProviderExport } from './export-reader.js';

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
