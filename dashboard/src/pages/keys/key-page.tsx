import { Anchor, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../parts/error-notice';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { KeyDetail } from './key-detail';
import { useKey } from './key-queries';

const ABOVE = { label: 'Keys', to: '/keys' } as const;

/** Keeps loaded data visible if a refetch fails. */
export function KeyPage() {
  const { id = '' } = useParams();
  const key = useKey(id);
  if (key.data !== undefined) return <KeyDetail key={id} of={key.data} />;
  if (key.error === null) return <PageSkeleton />;
  if (key.error instanceof ApiError && key.error.status === 404)
    return (
      <Page title="Key not found" above={ABOVE}>
        <Text>
          No key has this ID. Check the address, or{' '}
          <Anchor component={Link} to="/keys" underline="always">
            go to all keys
          </Anchor>
          .
        </Text>
      </Page>
    );
  return (
    <Page title="Key" above={ABOVE}>
      <ErrorNotice error={key.error} retry={() => void key.refetch()} />
    </Page>
  );
}
