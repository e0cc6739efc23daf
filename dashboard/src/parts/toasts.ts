import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/api-error';

export function showDone(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** Shows the failure of an action. A 401 opens the dialog for the ended session instead. */
export function showFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return;
  const id = error instanceof ApiError && error.requestId !== null ? ` (request ID ${error.requestId})` : '';
  const message = error instanceof Error ? error.message : 'An unexpected error occurred.';
  notifications.show({ title: 'The action failed', message: `${message}${id}`, color: 'red', autoClose: 10_000 });
}
