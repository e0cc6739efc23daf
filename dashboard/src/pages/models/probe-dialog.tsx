import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { AVAILABILITIES } from './availability.data';
import { AvailabilityBadge } from './model-badges';
import { probe, useRefreshModels, type ProbeOutcome } from './model-calls';
import type { ModelRow } from './model-types';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly of: ModelRow;
}

/** Asks, sends the probe, and shows what it found. */
export function ProbeDialog({ opened, onClose, of: row }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [outcome, setOutcome] = useState<ProbeOutcome | null>(null);
  const refresh = useRefreshModels();

  async function send(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      setOutcome(await probe(row.model));
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
      refresh();
    }
  }

  return (
    <Modal opened={opened} onClose={onClose} title="Probe the model" centered>
      <Stack>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {row.model}
        </Text>
        {outcome === null ? <Asked /> : <Verdict outcome={outcome} />}
        {error !== null && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {outcome === null ? 'Cancel' : 'Close'}
          </Button>
          <Button loading={busy} onClick={() => void send()}>
            {outcome === null ? 'Probe' : 'Probe again'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const Asked = () => (
  <Text size="sm">
    The gateway sends the provider one small request of the model’s kind, which costs what it costs. The verdict holds
    for every key: a model that does not answer is refused until a later probe succeeds.
  </Text>
);

function Verdict({ outcome: { availability, probed_at, told } }: { readonly outcome: ProbeOutcome }) {
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {told
          ? 'The provider gave a clear answer.'
          : 'This probe told nothing: the provider could not be reached, was overloaded, or refused for another reason than the model. What was known before stands.'}
      </Text>
      <Group gap="xs">
        <Text size="sm">The model is</Text>
        <AvailabilityBadge availability={availability} plain />
      </Group>
      <Text size="sm">{AVAILABILITIES[availability].means}</Text>
      <Text size="sm">
        Verdict found: <Moment at={probed_at} never="never" />
      </Text>
    </Stack>
  );
}
