import type { UseFormReturnType } from '@mantine/form';
import { useSendingForm } from '../../parts/use-sending-form';
import { fieldOf, VALIDATION, type LimitValues } from './limit-form.rules';

export type LimitForm = UseFormReturnType<LimitValues>;

export const useLimitForm = (initialValues: LimitValues, send: (values: LimitValues) => Promise<void>) =>
  useSendingForm<LimitValues>({ initialValues, validate: VALIDATION, fieldOf, send });
