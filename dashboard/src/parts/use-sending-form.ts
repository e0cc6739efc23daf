import { useForm, type UseFormInput } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../api/api-error';
import { fieldMessageOf } from './field-message';

interface Options<T extends object> {
  readonly initialValues: T;
  readonly validate: UseFormInput<T>['validate'];
  readonly send: (values: T) => Promise<void>;
  /** Maps an error to a form field whose name differs from `param`, or returns null if there is no such field. */
  readonly fieldOf?: (error: Pick<ApiError, 'param'>) => string | null;
}

/**
 * Manages a form that shows API errors next to their fields, and returns other errors as `error`. A 401 opens the dialog to sign in
 * again.
 */
export function useSendingForm<T extends object>(options: Options<T>) {
  const { initialValues, validate, send, fieldOf = namedField } = options;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useForm<T>({ initialValues, validate });
  const focus = (field: string | undefined) => field !== undefined && form.getInputNode(field)?.focus();

  function failed(caught: unknown): void {
    if (!(caught instanceof ApiError)) return setError(caught);
    const invalid: readonly Pick<ApiError, 'param' | 'message'>[] = caught.fields.length > 0 ? caught.fields : [caught];
    const shown = invalid.flatMap(({ param, message }) => {
      const field = fieldOf({ param });
      return field !== null && field in initialValues ? { field, message } : [];
    });
    for (const { field, message } of shown) form.setFieldError(field, fieldMessageOf(message));
    focus(shown[0]?.field);
    if (shown.length < invalid.length && caught.status !== 401) setError(caught);
  }

  async function submitted(values: T): Promise<void> {
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

  const submit = form.onSubmit(
    (values) => void submitted(values),
    (errors) => focus(Object.keys(errors)[0]),
  );
  return { form, busy, error, submit };
}

/** Maps `events[2]` to `events`. */
const namedField = ({ param }: Pick<ApiError, 'param'>): string | null => param?.replace(/[.[].*$/u, '') ?? null;
