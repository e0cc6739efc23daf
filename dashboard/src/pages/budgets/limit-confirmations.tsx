import { Stack, Text } from '@mantine/core';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { useLimitCalls } from './limit-calls';
import type { Limit } from './limit-types';
import { amountText, amountWithUnit, titleOf, unitsOf } from './limit-words.rules';

interface Props {
  readonly limit: Limit;
  readonly onClose: () => void;
}

/** Shows the discarded amounts, because a reset cannot be undone. */
export function ResetLimit({ limit, onClose }: Props) {
  const calls = useLimitCalls();
  const { id, measure, used, reserved } = limit;
  async function run(): Promise<void> {
    await calls.reset(id);
    showDone(`Limit “${titleOf(limit)}” reset.`);
  }
  return (
    <Confirm opened onClose={onClose} title="Reset this limit?" action="Reset" danger run={run}>
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          This resets the limit <b>{titleOf(limit)}</b> to {amountText(measure, 0)}. It discards the used amount of{' '}
          <b>{amountWithUnit(measure, used)}</b>
          {unitsOf(measure, reserved) > 0n && (
            <>
              , and <b>{amountText(measure, reserved)}</b> reserved by running requests
            </>
          )}
          . Alerts of the limit can be sent again.
        </Text>
        <Text size="sm">
          Usage statistics, costs and other limits do not change. Requests that are running now do not count towards
          this limit. You cannot undo this.
        </Text>
      </Stack>
    </Confirm>
  );
}

export function PauseLimit({ limit, pause, onClose }: Props & { readonly pause: boolean }) {
  const calls = useLimitCalls();
  async function run(): Promise<void> {
    await calls.update(limit.id, { enabled: !pause });
    showDone(`Limit “${titleOf(limit)}” ${pause ? 'paused' : 'resumed'}.`);
  }
  return (
    <Confirm
      opened
      onClose={onClose}
      title={pause ? 'Pause this limit?' : 'Resume this limit?'}
      action={pause ? 'Pause' : 'Resume'}
      run={run}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {pause ? (
          <>
            While <b>{titleOf(limit)}</b> is paused, it counts nothing, rejects nothing and sends no alerts. You can
            resume it at any time.
          </>
        ) : (
          <>
            <b>{titleOf(limit)}</b> applies again to the next request. It starts from the usage that is recorded for the
            current period. Limits per minute, per hour and in any 5 hours start from 0.
          </>
        )}
      </Text>
    </Confirm>
  );
}

export function DeleteLimit({ limit, onClose, onDeleted }: Props & { readonly onDeleted?: () => void }) {
  const calls = useLimitCalls();
  async function run(): Promise<void> {
    await calls.delete(limit.id);
    showDone(`Limit “${titleOf(limit)}” deleted.`);
    onDeleted?.();
  }
  return (
    <Confirm opened onClose={onClose} title="Delete this limit?" action="Delete" danger run={run}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        From the next request on, <b>{titleOf(limit)}</b> no longer applies. Its top-ups and alerts are no longer shown.
        To stop it temporarily, pause it instead. You cannot undo this.
      </Text>
    </Confirm>
  );
}
