import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { dollars } from './dollars';
import { count, plural } from './numbers';

interface Props {
  /** A decimal string in dollars. null: unknown. */
  readonly cost: string | null;
  /** Whether a part of the usage has no price, so that the cost is a lower bound. */
  readonly atLeast?: boolean;
}

/** A rounded amount, with the exact one as its title. */
export function Amount({ cost, atLeast = false }: Props) {
  if (cost === null) return <span style={{ whiteSpace: 'nowrap' }}>no price</span>;
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={`${atLeast ? 'at least ' : ''}$${cost}`}>
      {atLeast ? '≥ ' : ''}
      {dollars(cost)}
    </span>
  );
}

/** Pixels: two lines of text. */
const MARK_WIDTH = 150;

interface UnpricedProps {
  readonly requests: number;
}

/** Marks an amount as a lower bound. Nothing without unpriced requests. */
export function UnpricedMark({ requests }: UnpricedProps) {
  if (requests === 0) return null;
  return (
    <Anchor component={Link} to="/costs/prices" size="xs" underline="always">
      {lowerBound(requests)}
    </Anchor>
  );
}

/** Formats `lower bound: 3 requests have no price`. */
export const lowerBound = (requests: number): string =>
  `lower bound: ${count(requests)} ${plural(requests, 'request')} ${requests === 1 ? 'has' : 'have'} no price`;

/** An amount above its mark. Without a cost and without unpriced requests, no costs were recorded. */
export function MarkedAmount({ cost, unpriced }: { readonly cost: string | null; readonly unpriced: number }) {
  if (cost === null && unpriced === 0) return '–';
  return (
    <Stack gap={0} miw={unpriced > 0 ? MARK_WIDTH : undefined}>
      <Text size="sm" component="div">
        <Amount cost={cost} atLeast={unpriced > 0} />
      </Text>
      <UnpricedMark requests={unpriced} />
    </Stack>
  );
}
