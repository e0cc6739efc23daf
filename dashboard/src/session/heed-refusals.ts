import { api } from '../api/client';
import { readSession } from './session-calls';

/** After a 403 somebody's role may be another one than before: the page is to offer what they may do now. */
export function heedRefusals(): void {
  api.use({
    onResponse({ response }) {
      // A failure is met again by the next call, and told there.
      if (response.status === 403) readSession().catch(() => undefined);
    },
  });
}
