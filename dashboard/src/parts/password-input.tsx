import { PasswordInput as Base, type PasswordInputProps } from '@mantine/core';

/** Adds to Mantine's input `aria-invalid` and a visibility button that the keyboard can reach. */
export function PasswordInput(props: PasswordInputProps) {
  const wrong = props.error !== undefined && props.error !== null && props.error !== false;
  return (
    <Base
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
      {...props}
      aria-invalid={wrong || undefined}
    />
  );
}
