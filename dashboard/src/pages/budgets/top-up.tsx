import { Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { isoOf } from '../../parts/local-time';
import { showDone } from '../../parts/toasts';
import { useSendingForm } from '../../parts/use-sending-form';
import { AmountInput } from './amount-input';
import type { Entered } from '../../parts/entered-number.rules';
import { amountOf, amountProblem } from './limit-form.rules';
import { useLimitCalls } from './limit-calls';
import type { Limit, NewTopUp } from './limit-types';
import { TOP_UP_ENDS } from './limit-words.data';
import { amountWithUnit, titleOf } from './limit-words.rules';

interface Props {
  readonly limit: Limit;
  readonly onClose: () => void;
}

interface Values {
  readonly amount: Entered;
  readonly expiry: 'period' | 'never' | 'time';
  /** The local time of a `datetime-local` input. */
  readonly expires_at: string;
  readonly note: string;
}

/** A click outside the dialog does not close it, because the input would be lost. */
export function TopUp({ limit, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`Top up “${titleOf(limit)}”`} size="lg" closeOnClickOutside={false}>
      <TopUpForm limit={limit} onClose={onClose} />
    </Modal>
  );
}

const NOTE_MAX = 500;

function TopUpForm({ limit, onClose }: Props) {
  const { id, measure, effective_amount } = limit;
  const ends = limit.period === null ? undefined : TOP_UP_ENDS[limit.period];
  const calls = useLimitCalls();
  const { form, busy, error, submit } = useSendingForm<Values>({
    initialValues: { amount: '', expiry: ends === undefined ? 'never' : 'period', expires_at: '', note: '' },
    validate: {
      amount: (amount) => amountProblem(measure, amount),
      expires_at: (at, { expiry }) => (expiry === 'time' && at === '' ? 'Enter a time.' : null),
    },
    send: async (values) => {
      await calls.topUp(id, bodyOf(limit, values));
      showDone(`Limit “${titleOf(limit)}” topped up.`);
      onClose();
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          The top-up raises the amount of {amountWithUnit(measure, effective_amount)} from the next request on.
        </Text>
        <AmountInput measure={measure} label="Amount" data-autofocus {...form.getInputProps('amount')} />
        <Radio.Group label="Expires" {...form.getInputProps('expiry')}>
          <Stack gap="xs" mt={4}>
            {ends !== undefined && <Radio value="period" label={ends} />}
            <Radio value="never" label="Never" />
            <Radio value="time" label="At a time" />
          </Stack>
        </Radio.Group>
        {form.values.expiry === 'time' && (
          <TextInput
            label="Expires at (local time)"
            type="datetime-local"
            max="9999-12-31T23:59"
            w={240}
            {...form.getInputProps('expires_at')}
          />
        )}
        <TextInput label="Note" maxLength={NOTE_MAX} autoComplete="off" {...form.getInputProps('note')} />
        <DialogFormEnd error={error} onCancel={onClose} submit="Top up" busy={busy} />
      </Stack>
    </form>
  );
}

/** Without `expires_at`, the gateway uses the end of the period. */
function bodyOf({ measure }: Limit, { amount, expiry, expires_at, note }: Values): NewTopUp {
  return {
    amount: amountOf(measure, amount),
    ...(expiry === 'never' && { expires_at: null }),
    ...(expiry === 'time' && { expires_at: isoOf(expires_at) }),
    ...(note.trim() !== '' && { note: note.trim() }),
  };
}
