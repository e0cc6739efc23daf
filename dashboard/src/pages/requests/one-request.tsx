import { Button, List, Paper, Skeleton, Text, Title } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { useSearchState } from '../../parts/use-search-state';
import { RequestDetail } from './request-detail';
import { whyMissing, type Missing } from './request-id.rules';
import { useRequest } from './request-queries';

export const OneRequest = ({ id }: { readonly id: string }) => (
  <section>
    <Title order={2} className="visually-hidden">
      Search result
    </Title>
    <Found id={id} />
  </section>
);

function Found({ id }: { readonly id: string }) {
  const missing = whyMissing(id);
  const { data, error, refetch, isFetching } = useRequest(id, missing.why !== 'notAnId');
  const log = data?.requests[0];
  if (log !== undefined)
    return (
      <Paper withBorder p="md" maw={760}>
        <RequestDetail of={log} />
      </Paper>
    );
  if (missing.why === 'notAnId') return <NotFound missing={missing} />;
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} maw={760} />;
  return <NotFound missing={missing} retry={() => void refetch()} busy={isFetching} />;
}

interface NotFoundProps {
  readonly missing: Missing;
  readonly retry?: () => void;
  readonly busy?: boolean;
}

function NotFound({ missing, retry, busy }: NotFoundProps) {
  const { set } = useSearchState();
  return (
    <Paper withBorder>
      <EmptyState title="No record of this request">
        <Reason missing={missing} />
        {retry !== undefined && missing.why === 'recent' && (
          <Button variant="default" mt="sm" mr="xs" loading={busy} onClick={retry}>
            Search again
          </Button>
        )}
        <Button variant="default" mt="sm" onClick={() => set({ request_id: null })}>
          Show all requests
        </Button>
      </EmptyState>
    </Paper>
  );
}

function Reason({ missing }: { readonly missing: Missing }) {
  switch (missing.why) {
    case 'notAnId':
      return 'This is not a request ID. A request ID looks like 0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57.';
    case 'foreign':
      return 'The gateway does not generate IDs of this form. It might be the client’s own ID (X-GW-Client-Id) or the provider’s ID (X-GW-Upstream-Request-Id). Search for the X-Request-Id instead.';
    case 'ahead':
      return (
        <>
          According to its ID, this request was created in the future, at <Moment at={missing.at} />. It belongs to
          another gateway, or a clock is wrong.
        </>
      );
    case 'old':
      return (
        <>
          According to its ID, this request was created at <Moment at={missing.at} />. Rejected and failed requests are
          kept for 7 days. Other requests are kept only if they are in the sample, for one year.
        </>
      );
    case 'recent':
      return <RecentReasons at={missing.at} />;
  }
}

function RecentReasons({ at }: { readonly at: string }) {
  return (
    <>
      <Text inherit>
        According to its ID, this request was created at <Moment at={at} />. The record can be missing for these
        reasons:
      </Text>
      <List ta="left" mt="xs" spacing={4} size="sm">
        <List.Item>The request succeeded and is not in the sample. Usage still counts it.</List.Item>
        <List.Item>Its API key was missing or unknown (401). Such requests are never kept.</List.Item>
        <List.Item>It was an Admin API request. The audit log contains the changes.</List.Item>
        <List.Item>It ended a moment ago. Records are written within about a second.</List.Item>
        <List.Item>It was rejected during a burst. Each process keeps at most 50 such requests per second.</List.Item>
        <List.Item>It belongs to another gateway.</List.Item>
      </List>
    </>
  );
}
