import type { UseFormReturnType } from '@mantine/form';
import { wholeNumberProblem, type Entered } from '../../parts/entered-number.rules';
import { useSendingForm } from '../../parts/use-sending-form';
import type { KeyValues } from './key-values.rules';

export type KeyForm = UseFormReturnType<KeyValues>;

const needed = (value: string | number): string | null =>
  String(value).trim() === '' ? 'This field is required.' : null;

const neededNumber = (value: Entered): string | null => needed(value) ?? wholeNumberProblem(value);

const VALIDATION = {
  name: needed,
  rpm_limit: neededNumber,
  rpd_limit: neededNumber,
  monthly_limit: wholeNumberProblem,
  monthly_token_limit: wholeNumberProblem,
};

export const useKeyForm = (initialValues: KeyValues, send: (values: KeyValues) => Promise<void>) =>
  useSendingForm({ initialValues, validate: VALIDATION, send });
