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

/** Shows the new raw key after a rotation. It does not close until the operator confirms that the key is stored. */
export function RotatedKey({ of: key, secret, onClose }: Props) {
  const [stored, setStored] = useState(false);
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={`New raw key for “${key.name}”`}
        size="xl"
        withCloseButton={false}
        closeOnEscape={stored}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text size="sm">The old raw key no longer works. Give the new one to everyone who uses this key.</Text>
          <RawKeyPanel secret={secret} allowedModels={key.allowed_models} stored={stored} onStored={setStored} />
          <Group justify="flex-end">
            <Button onClick={onClose} disabled={!stored}>
              Done
            </Button>
          </Group>
        </Stack>
      </Modal>
      <LeaveGuard when={!stored} title="The new key is not stored yet">
        The raw key is not shown again. If you leave now, you must rotate the key again.
      </LeaveGuard>
    </>
  );
}
