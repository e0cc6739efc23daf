import { Alert, Anchor } from '@mantine/core';
import { ApiError } from '../api/api-error';
import { Moment } from './moment';

export interface Reading {
  readonly data: unknown;
  readonly error: unknown;
  /** Milliseconds on the browser's clock. */
  readonly dataUpdatedAt: number;
  readonly refetch: () => unknown;
}

export function StaleDataWarning({ reading }: { readonly reading: Reading }) {
  const { data, error, dataUpdatedAt, refetch } = reading;
  if (data === undefined || error === null) return null;
  return (
    <Alert color="orange" variant="outline" role="alert" py="xs">
      Out of date: {whyOf(error)}. Last updated <Moment at={new Date(dataUpdatedAt).toISOString()} />.{' '}
      <Anchor component="button" type="button" inherit underline="always" onClick={() => void refetch()}>
        Try again
      </Anchor>
    </Alert>
  );
}

function whyOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'an unexpected error occurred on this page';
  if (error.status === 0) return 'the gateway cannot be reached';
  if (error.status === 401) return 'your session has ended';
  return `the gateway responded “${error.message.replace(/\.$/u, '')}”`;
}
