import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { readNumber, type Entered } from './entered-number.rules';

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange'> {
  readonly value?: Entered;
  readonly defaultValue?: Entered;
  readonly onChange?: (value: Entered) => void;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });
const shown = (value: Entered | undefined): string => (typeof value === 'number' ? whole.format(value) : (value ?? ''));

/**
 * A text field for a number. It keeps the text as typed, and shows the number that it stands for when the field loses focus. Fields
 * that drop characters while typing would turn `1,5` into 15.
 */
export function NumberField({ value, defaultValue, onChange, onBlur, ...input }: Props) {
  const [text, setText] = useState(() => shown(value ?? defaultValue));
  const isReplaced = value !== undefined && readNumber(text) !== value;
  return (
    <TextInput
      autoComplete="off"
      inputMode="decimal"
      {...input}
      value={isReplaced ? shown(value) : text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange?.(readNumber(currentTarget.value));
      }}
      onBlur={(event) => {
        setText(shown(readNumber(event.currentTarget.value)));
        onBlur?.(event);
      }}
    />
  );
}
