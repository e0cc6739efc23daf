import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from './key-types';
import { LeaveGuard } from '../../parts/leave-guard';
import { RawKeyPanel } from './raw-key-panel';

interface Props {
  readonly of: ApiKey;
  readonly secret: string;
  readonly onClose: () => void;
}

/** The new raw key of a rotation. It cannot be closed by accident. */
export function RotatedKey({ of: key, secret, onClose }: Props) {
  const [stored, setStored] = useState(false);
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={`New secret of “${key.name}”`}
        size="xl"
        withCloseButton={false}
        closeOnEscape={stored}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text size="sm">The old secret no longer works. Hand this one to whoever uses the key.</Text>
          <RawKeyPanel secret={secret} allowedModels={key.allowed_models} stored={stored} onStored={setStored} />
          <Group justify="flex-end">
            <Button onClick={onClose} disabled={!stored}>
              Done
            </Button>
          </Group>
        </Stack>
      </Modal>
      <LeaveGuard when={!stored} title="The new key is not stored yet">
        It is not shown again. Leave without it, and the key has to be rotated once more.
      </LeaveGuard>
    </>
  );
}
