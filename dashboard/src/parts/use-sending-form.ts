import { useForm, type UseFormInput } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../api/api-error';
import { fieldMessageOf } from './field-message';

interface Options<T extends object> {
  readonly initialValues: T;
  readonly validate: UseFormInput<T>['validate'];
  readonly send: (values: T) => Promise<void>;
  /** Maps an error to a form field whose name differs from `param`, or returns null if there is no such field. */
  readonly fieldOf?: (error: ApiError) => string | null;
}

/**
 * Manages a form that shows an API error next to its field and returns other errors as `error`. A 401 opens the dialog to sign
 * in again.
 */
export function useSendingForm<T extends object>(options: Options<T>) {
  const { initialValues, validate, send, fieldOf = namedField } = options;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useForm<T>({ initialValues, validate });
  const focus = (field: string | undefined) => field !== undefined && form.getInputNode(field)?.focus();

  function failed(caught: unknown): void {
    const field = caught instanceof ApiError ? fieldOf(caught) : null;
    if (caught instanceof ApiError && field !== null && field in initialValues) {
      form.setFieldError(field, fieldMessageOf(caught.message));
      focus(field);
    } else if (!(caught instanceof ApiError && caught.status === 401)) setError(caught);
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
const namedField = ({ param }: ApiError): string | null => param?.replace(/[.[].*$/u, '') ?? null;
