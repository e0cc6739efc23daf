import { Group, Modal, Stack, Text } from '@mantine/core';
import { EndAllSessions } from '../account/end-all-sessions';
import { SessionTable } from '../account/session-table';
import type { Operator } from './operator-types';

interface Props {
  readonly operator: Operator;
  readonly own: boolean;
  readonly onClose: () => void;
}

export function OperatorSessions({ operator: { id, email }, own, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`Sessions of ${email}`} size="xl">
      <Stack>
        <Group justify="space-between">
          <Text size="sm">An ended session is signed out with its next request.</Text>
          <EndAllSessions operatorId={id} whose={own ? null : email} />
        </Group>
        <SessionTable label={`Sessions of ${email}`} operatorId={id} />
      </Stack>
    </Modal>
  );
}
