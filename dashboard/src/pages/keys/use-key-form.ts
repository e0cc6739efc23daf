import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../../api/api-error';
import type { KeyField, KeyValues } from './key-values.rules';

export type KeyForm = UseFormReturnType<KeyValues>;

const needed = (value: string | number): string | null =>
  String(value).trim() === '' ? 'This field is needed.' : null;

/** The form of a key: what the gateway says about a field is shown at that field, and nothing entered is lost by a failed call. */
export function useKeyForm(initial: KeyValues, send: (values: KeyValues) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useForm<KeyValues>({
    initialValues: initial,
    validate: { name: needed, rpm_limit: needed, rpd_limit: needed },
  });

  function failed(caught: unknown): void {
    if (caught instanceof ApiError && caught.status === 401) return;
    const field = fieldOf(caught, initial);
    if (field === null) {
      setError(caught);
      return;
    }
    form.setFieldError(field, (caught as ApiError).message);
    focus(field);
  }

  async function submit(values: KeyValues): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await send(values);
    } catch (caught) {
      failed(caught);
    } finally {
      setBusy(false);
    }
  }

  const focus = (field: string) => form.getInputNode(field)?.focus();
  return {
    form,
    busy,
    error,
    submit: form.onSubmit(
      (values) => void submit(values),
      (errors) => focus(Object.keys(errors)[0]!),
    ),
  };
}

/** `allowed_models[2]` is told at the list. */
function fieldOf(error: unknown, values: KeyValues): KeyField | null {
  if (!(error instanceof ApiError) || error.param === null) return null;
  const name = error.param.replace(/[.[].*$/u, '');
  return name in values ? (name as KeyField) : null;
}
