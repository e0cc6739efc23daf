import { api } from '../api/client';
import { readSession } from './session-calls';

/** Reads the session again after a 403, because the operator's role might have changed. */
export function refreshSessionAfter403(): void {
  api.use({
    onResponse({ response }) {
      // The next request reports a failure.
      if (response.status === 403) readSession().catch(() => undefined);
    },
  });
}
