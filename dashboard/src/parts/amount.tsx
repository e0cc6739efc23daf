import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { dollars } from './dollars';
import { count, plural } from './numbers';

interface Props {
  /** A decimal string in dollars, or null if the cost is unknown. */
  readonly cost: string | null;
  /** A part of the usage has no price, so the cost is a lower bound. */
  readonly atLeast?: boolean;
}

/** Shows a rounded amount, with the exact one as its title. */
export function Amount({ cost, atLeast = false }: Props) {
  if (cost === null) return <span style={{ whiteSpace: 'nowrap' }}>no price</span>;
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={`${atLeast ? 'at least ' : ''}$${cost}`}>
      {atLeast ? '≥ ' : ''}
      {dollars(cost)}
    </span>
  );
}

/** Formats an amount for a tile as `≥ $12.75`, `no price`, or a dash if no costs were recorded. */
export function amountText(cost: string | null, unpriced: number): string {
  if (cost === null) return unpriced === 0 ? '–' : 'no price';
  return `${unpriced > 0 ? '≥ ' : ''}${dollars(cost)}`;
}

/** Fits two lines of text. */
const MARK_WIDTH = 150;

interface UnpricedProps {
  readonly requests: number;
}

/** Marks an amount as a lower bound. Renders nothing without unpriced requests. */
export function UnpricedMark({ requests }: UnpricedProps) {
  if (requests === 0) return null;
  return (
    <Anchor component={Link} to="/costs/prices" size="xs" underline="always">
      {lowerBound(requests)}
    </Anchor>
  );
}

/** Formats `lower bound: 3 requests have no price`. */
const lowerBound = (requests: number): string =>
  `lower bound: ${count(requests)} ${plural(requests, 'request')} ${requests === 1 ? 'has' : 'have'} no price`;

/**
 * Returns the note of a chart's point. Without it, days without a price would look free.
 * @param unpriced requests without a price, by day
 */
export function unpricedNote(unpriced: readonly number[]): string | undefined {
  const requests = unpriced.reduce((sum, one) => sum + one, 0);
  return requests === 0 ? undefined : lowerBound(requests);
}

interface MarkedProps {
  readonly cost: string | null;
  readonly unpriced: number;
  readonly markWidth?: number;
}

/** Shows an amount above its mark. If there is neither a cost nor an unpriced request, no costs were recorded. */
export function MarkedAmount({ cost, unpriced, markWidth = MARK_WIDTH }: MarkedProps) {
  if (cost === null && unpriced === 0) return '–';
  return (
    <Stack gap={0} miw={unpriced > 0 ? markWidth : undefined}>
      <Text size="sm" component="div">
        <Amount cost={cost} atLeast={unpriced > 0} />
      </Text>
      <UnpricedMark requests={unpriced} />
    </Stack>
  );
}
