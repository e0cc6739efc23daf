import { PasswordInput as Base, type PasswordInputProps } from '@mantine/core';

/** The library's own, which tells screen readers neither that it is wrong nor, by keyboard, what was typed. */
export function PasswordInput(props: PasswordInputProps) {
  const wrong = props.error !== undefined && props.error !== null && props.error !== false;
  return (
    <Base
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show what was typed' }}
      {...props}
      aria-invalid={wrong || undefined}
    />
  );
}
