import type { UseFormReturnType } from '@mantine/form';
import { useSendingForm } from '../../parts/use-sending-form';
import type { KeyValues } from './key-values.rules';

export type KeyForm = UseFormReturnType<KeyValues>;

const needed = (value: string | number): string | null =>
  String(value).trim() === '' ? 'This field is required.' : null;

export const useKeyForm = (initialValues: KeyValues, send: (values: KeyValues) => Promise<void>) =>
  useSendingForm({ initialValues, validate: { name: needed, rpm_limit: needed, rpd_limit: needed }, send });
