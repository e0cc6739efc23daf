import { Button, List, Paper, Skeleton, Text, Title } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { Moment } from '../../parts/moment';
import { useSearchState } from '../../parts/use-search-state';
import { RequestDetail } from './request-detail';
import { whyMissing, type Missing } from './request-id.rules';
import { useRequest } from './request-queries';

/** What was found under an id, or why nothing was. */
export const OneRequest = ({ id }: { readonly id: string }) => (
  <section>
    <Title order={2} className="visually-hidden">
      What was found
    </Title>
    <Found id={id} />
  </section>
);

function Found({ id }: { readonly id: string }) {
  const missing = whyMissing(id);
  const { data, error, refetch, isFetching } = useRequest(id, missing.why !== 'notAnId');
  const log = data?.logs[0];
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
      <EmptyState title="Nothing is kept under this id">
        <Reason missing={missing} />
        {retry !== undefined && missing.why === 'recent' && (
          <Button variant="default" mt="sm" mr="xs" loading={busy} onClick={retry}>
            Look again
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
      return 'This is not a request id. Request ids look like 0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57.';
    case 'foreign':
      return 'This is not an id that a gateway like this one makes. It may be the caller’s own id (X-GW-Client-Id) or the provider’s (X-GW-Upstream-Request-Id): ask for the X-Request-Id.';
    case 'ahead':
      return (
        <>
          By its id this request will be made at <Moment at={missing.at} />. It is not of this gateway, or a clock is
          wrong.
        </>
      );
    case 'old':
      return (
        <>
          By its id this request was made at <Moment at={missing.at} />. Refused and failed requests are kept for 7
          days; of all others only the sample is kept, for a year.
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
        By its id this request was made at <Moment at={at} />. It is not kept where one of these holds:
      </Text>
      <List ta="left" mt="xs" spacing={4} size="sm">
        <List.Item>It went well, and the sample did not pick it. Usage has counted it all the same.</List.Item>
        <List.Item>Its key was missing or unknown (401): such requests are never kept.</List.Item>
        <List.Item>It was a call of the Admin API. What those change is in the audit log.</List.Item>
        <List.Item>It ended a moment ago: rows are written within a second or so.</List.Item>
        <List.Item>More than 50 requests a second were refused just then. The rest of them is not kept.</List.Item>
        <List.Item>It belongs to another gateway.</List.Item>
      </List>
    </>
  );
}
