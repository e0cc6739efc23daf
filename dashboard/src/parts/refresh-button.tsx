import { Button } from '@mantine/core';
import { useState } from 'react';

/** Reads a list anew. It shows that it is busy only where it was clicked. */
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
