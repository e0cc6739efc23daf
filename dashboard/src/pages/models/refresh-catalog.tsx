import { Alert, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { showDone, showFailure } from '../../parts/toasts';
import { refreshCatalog } from './model-calls';

export function useRefreshCatalog(): { readonly button: ReactNode; readonly notice: ReactNode } {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [stale, setStale] = useState(false);

  async function refresh(): Promise<void> {
    setBusy(true);
    try {
      const purged = await refreshCatalog();
      setStale(!purged.includes('catalog'));
      if (purged.includes('catalog')) showDone('Model catalog refreshed. All processes reload keys and model policy.');
      void queries.invalidateQueries();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    button: (
      <Button variant="default" loading={busy} onClick={() => void refresh()}>
        Refresh catalog
      </Button>
    ),
    notice: stale && (
      <Alert
        color="orange"
        variant="outline"
        role="alert"
        title="The model catalog could not be refreshed"
        withCloseButton
        closeButtonLabel="Close"
        onClose={() => setStale(false)}
      >
        The gateway keeps the previous catalog and continues to retry. All processes reload keys and model policy. Check
        that the provider is reachable and that the credential of the account is valid.
      </Alert>
    ),
  };
}
