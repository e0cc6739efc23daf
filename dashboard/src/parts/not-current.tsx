import { Alert, Anchor } from '@mantine/core';
import { ApiError } from '../api/api-error';
import { Moment } from './moment';

/** What is known of something that was read. */
export interface Reading {
  readonly data: unknown;
  readonly error: unknown;
  /** When `data` was answered, by the reader's clock. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

/** Above what is still shown although it could not be read anew: how old it is, and why. Else nothing. */
export function NotCurrent({ reading }: { readonly reading: Reading }) {
  const { data, error, dataUpdatedAt, refetch } = reading;
  if (data === undefined || error === null) return null;
  return (
    <Alert color="orange" variant="outline" role="alert" py="xs">
      Not current: {whyOf(error)}. As of <Moment at={new Date(dataUpdatedAt).toISOString()} />.{' '}
      <Anchor component="button" type="button" inherit underline="always" onClick={() => void refetch()}>
        Try again
      </Anchor>
    </Alert>
  );
}

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'something went wrong on this page';
  if (error.status === 0) return 'the gateway cannot be reached';
  if (error.status === 401) return 'your session has ended';
  return `the gateway answered “${error.message.replace(/\.$/u, '')}”`;
}
