import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { NumberField } from '../../parts/number-field';
import type { LimitMeasure } from './limit-types';
import { UNITS } from './limit-words.rules';

interface Props extends GetInputPropsReturnType {
  readonly measure: LimitMeasure;
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
}

/** Dollars are decimal text, because floating-point numbers cannot hold them exactly. */
export function AmountInput({ measure, label, ...input }: Props) {
  if (measure === 'cost')
    return (
      <TextInput
        label={`${label} (dollars)`}
        leftSection="$"
        inputMode="decimal"
        autoComplete="off"
        maw={280}
        {...input}
        value={String(input.value)}
      />
    );
  return <NumberField label={`${label} (${UNITS[measure]})`} maw={280} {...input} />;
}
