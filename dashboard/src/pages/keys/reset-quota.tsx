import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone } from '../../parts/toasts';
import { resetQuota } from './key-calls';
import { useRefresh } from './key-queries';
import type { ApiKey, ResetWindow } from './key-types';

const WINDOWS: readonly { readonly value: ResetWindow; readonly label: string }[] = [
  { value: 'minute', label: 'This minute' },
  { value: 'day', label: 'Today' },
  { value: 'month', label: 'This month' },
  { value: 'all', label: 'All three' },
];

export function ResetQuota({ of: key }: { readonly of: ApiKey }) {
  const [opened, setOpened] = useState(false);
  const [window, setWindow] = useState<ResetWindow>('minute');
  const refresh = useRefresh();
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        Reset quota
      </Button>
      <Confirm
        opened={opened}
        onClose={() => setOpened(false)}
        title="Reset quota?"
        action="Reset"
        danger
        run={async () => {
          await resetQuota(key.id, window);
          showDone(`Quota of “${key.name}” reset.`);
          refresh();
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            This sets the request count of <b>{key.name}</b> to zero. Token counts and usage statistics do not change.
            You cannot undo this.
          </Text>
          <Radio.Group
            label="Count to reset"
            value={window}
            onChange={(value) => setWindow(WINDOWS.find((one) => one.value === value)?.value ?? 'minute')}
          >
            <Stack gap="xs" mt="xs">
              {WINDOWS.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
        </Stack>
      </Confirm>
    </>
  );
}
