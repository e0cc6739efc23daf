import { Alert, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { showDone, showFailure } from '../../parts/toasts';
import { refreshCatalog } from './model-calls';

/** The button that asks the provider for its list now, and what there is to say when that did not work. */
export function useRefreshCatalog(): { readonly button: ReactNode; readonly notice: ReactNode } {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [stale, setStale] = useState(false);

  async function refresh(): Promise<void> {
    setBusy(true);
    try {
      const purged = await refreshCatalog();
      setStale(!purged.includes('catalog'));
      if (purged.includes('catalog')) showDone('Read anew in every process: the list of models, keys and policy.');
      // Whatever is shown may have been read before.
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
        Refresh the catalog
      </Button>
    ),
    notice: stale && (
      <Alert
        color="orange"
        variant="outline"
        role="alert"
        title="The provider’s list could not be fetched"
        withCloseButton
        closeButtonLabel="Close"
        onClose={() => setStale(false)}
      >
        The list stays as it was read last, and the gateway keeps asking. Keys and policy were read anew in every
        process. Check that the provider can be reached and that the credential of the account is right.
      </Alert>
    ),
  };
}
