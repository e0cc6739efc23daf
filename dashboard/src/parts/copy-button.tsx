import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { showFailure } from './toasts';
import { CopyIcon } from '../shell/icons';
import { copyText } from './copy-text';

interface Props {
  readonly text: string;
  readonly label: string;
  readonly wide?: boolean;
  readonly onCopied?: () => void;
}

const SHOWN_MS = 2000;

export function CopyButton({ text, label, wide = false, onCopied }: Props) {
  const [copied, setCopied] = useState(false);
  const { start } = useTimeout(() => setCopied(false), SHOWN_MS);
  async function copy(): Promise<void> {
    if (!(await copyText(text))) {
      showFailure(new Error('The browser blocked access to the clipboard. Select the text and copy it manually.'));
      return;
    }
    setCopied(true);
    start();
    onCopied?.();
  }
  if (wide)
    return (
      <Button onClick={() => void copy()} leftSection={<CopyIcon />} aria-live="polite">
        {copied ? 'Copied' : label}
      </Button>
    );
  return (
    <Tooltip label={copied ? 'Copied' : label} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={copied ? 'Copied' : label}
        onClick={() => void copy()}
      >
        <CopyIcon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
