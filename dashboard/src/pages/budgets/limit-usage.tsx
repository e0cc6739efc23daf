import { Group, Text } from '@mantine/core';
import type { Limit } from './limit-types';
import { amountText, amountWithUnit, unitsOf } from './limit-words.rules';

export function LimitUsage({ of: limit }: { readonly of: Limit }) {
  const { measure, used, reserved, remaining, effective_amount } = limit;
  return (
    <div>
      <Group gap="0 6px" align="baseline">
        <Text fw={700} title={exactOf(limit)}>
          {amountText(measure, used)}
        </Text>
        <Text size="sm">of {amountWithUnit(measure, effective_amount)}</Text>
      </Group>
      <Text size="xs">
        {unitsOf(measure, reserved) > 0n && `${amountText(measure, reserved)} reserved, `}
        {amountText(measure, remaining)} remaining
      </Text>
    </div>
  );
}

/** The page rounds small amounts of dollars. */
const exactOf = ({ measure, used }: Limit): string | undefined => (measure === 'cost' ? `$${used}` : undefined);
