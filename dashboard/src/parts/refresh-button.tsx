import { Button } from '@mantine/core';
import { useState } from 'react';

/** Refetches a list. Its spinner appears only after a click, not during background refetches. */
export function RefreshButton({ refetch }: { readonly refetch: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  async function refresh(): Promise<void> {
    setBusy(true);
    await refetch();
    setBusy(false);
  }
  return (
    <Button variant="default" loading={busy} onClick={() => void refresh()}>
      Refresh
    </Button>
  );
}
