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
    <Modal opened={opened} onClose={onClose} title="Probe model" centered>
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
    The gateway sends one small request for this model to the provider, which might charge for it. The result applies to
    all keys. If the provider rejects the model, requests are rejected until a later probe succeeds.
  </Text>
);

function Verdict({ outcome: { availability, probed_at, conclusive } }: { readonly outcome: ProbeOutcome }) {
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {conclusive
          ? 'The probe was conclusive.'
          : 'The probe was inconclusive: the provider was unreachable or overloaded, or it failed for a reason unrelated to the model. The previous result still applies.'}
      </Text>
      <Group gap="xs">
        <Text size="sm">The model is</Text>
        <AvailabilityBadge availability={availability} plain />
      </Group>
      <Text size="sm">{AVAILABILITIES[availability].means}</Text>
      <Text size="sm">
        Last conclusive probe: <Moment at={probed_at} never="never" />
      </Text>
    </Stack>
  );
}
