import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/api-error';

export function showDone(message: string): void {
  notifications.show({ message, color: 'green' });
}

/** What went wrong with something that was clicked, with the request id. A session that has ended is told by its own dialog. */
export function showFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return;
  const id = error instanceof ApiError && error.requestId !== null ? ` (request ${error.requestId})` : '';
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  notifications.show({ title: 'This did not work', message: `${message}${id}`, color: 'red', autoClose: 10_000 });
}
