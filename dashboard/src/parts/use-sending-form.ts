import { useForm, type UseFormInput } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../api/api-error';
import { fieldMessageOf } from './field-message';

interface Options<T extends object> {
  readonly initialValues: T;
  readonly validate: UseFormInput<T>['validate'];
  /** Throws what the API refuses. */
  readonly send: (values: T) => Promise<void>;
  /** The field that a refusal is about, where it is not the one that the API names; null: none. */
  readonly fieldOf?: (error: ApiError) => string | null;
}

/**
 * A form whose refusals are shown at their fields, and as `error` where they are about none. A failed call leaves what
 * was entered; a session that has ended is told by its own dialog.
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

/** `events[2]` is told at `events`. */
const namedField = ({ param }: ApiError): string | null => param?.replace(/[.[].*$/u, '') ?? null;
