import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { clamped } from '../../parts/clamped';
import { Confirm } from '../../parts/confirm';
import { DataTable, type Column } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { Moment } from '../../parts/moment';
import { showDone } from '../../parts/toasts';
import { useHasRole } from '../../session/use-session';
import { LISTED_MAX, useLimitCalls, useTopUps } from './limit-calls';
import type { Limit, LimitMeasure, TopUp } from './limit-types';
import { amountWithUnit } from './limit-words.rules';

/** Shows only the newest top-ups, because the page already has a paginated list. */
export function TopUps({ of: { id, measure } }: { readonly of: Limit }) {
  const mayChange = useHasRole('admin');
  const topUps = useTopUps(id);
  const [asked, setAsked] = useState<TopUp | null>(null);
  const { data } = topUps;
  return (
    <Stack gap="sm" component="section" aria-labelledby="top-ups">
      <Title order={2} size="h4" id="top-ups">
        Top-ups
      </Title>
      <DataTable
        label="Limit top-ups"
        columns={columnsOf(measure, mayChange ? setAsked : null)}
        rows={data?.top_ups}
        rowId={({ id: topUpId }) => String(topUpId)}
        reading={topUps}
        empty={
          <EmptyState title="No top-ups">
            A top-up raises the available amount until it expires. The amount in the settings does not change.
          </EmptyState>
        }
      />
      {data !== undefined && data.total > data.top_ups.length && (
        <Text size="sm">Only the newest {LISTED_MAX} top-ups are listed.</Text>
      )}
      {asked !== null && <DeleteTopUp limitId={id} measure={measure} topUp={asked} onClose={() => setAsked(null)} />}
    </Stack>
  );
}

const isActive = ({ is_expired }: TopUp): boolean => !is_expired;

const columnsOf = (measure: LimitMeasure, ask: ((topUp: TopUp) => void) | null): readonly Column<TopUp>[] => [
  { header: 'Amount', cell: ({ amount }) => amountWithUnit(measure, amount), csv: ({ amount }) => amount },
  {
    header: 'State',
    cell: (topUp) => (
      <Badge color={isActive(topUp) ? 'green' : 'gray'} variant="light" tt="none" miw="max-content">
        {isActive(topUp) ? 'active' : 'expired'}
      </Badge>
    ),
    csv: (topUp) => (isActive(topUp) ? 'active' : 'expired'),
  },
  { header: 'Created', cell: ({ created_at }) => <Moment at={created_at} />, csv: ({ created_at }) => created_at },
  {
    header: 'Expires',
    cell: ({ expires_at }) => <Moment at={expires_at} never="never" />,
    csv: ({ expires_at }) => expires_at,
  },
  {
    header: 'Note',
    cell: ({ note }) => (note === null ? '–' : <Note text={note} />),
    csv: ({ note }) => note,
  },
  ...(ask === null
    ? []
    : [{ header: 'Action', cell: (topUp: TopUp) => <Delete of={topUp} measure={measure} ask={ask} /> }]),
];

const Note = ({ text }: { readonly text: string }) => (
  <Text size="sm" miw={110} maw={300} {...clamped(text)}>
    {text}
  </Text>
);

interface DeleteProps {
  readonly of: TopUp;
  readonly measure: LimitMeasure;
  readonly ask: (topUp: TopUp) => void;
}

const Delete = ({ of: topUp, measure, ask }: DeleteProps) => (
  <Button
    size="compact-sm"
    variant="default"
    aria-label={`Delete the top-up of ${amountWithUnit(measure, topUp.amount)}`}
    onClick={() => ask(topUp)}
  >
    Delete
  </Button>
);

interface ConfirmProps {
  readonly limitId: number;
  readonly measure: LimitMeasure;
  readonly topUp: TopUp;
  readonly onClose: () => void;
}

function DeleteTopUp({ limitId, measure, topUp, onClose }: ConfirmProps) {
  const calls = useLimitCalls();
  const amount = amountWithUnit(measure, topUp.amount);
  async function run(): Promise<void> {
    await calls.deleteTopUp(limitId, topUp.id);
    showDone(`The top-up of ${amount} was deleted.`);
  }
  return (
    <Confirm opened onClose={onClose} title="Delete this top-up?" action="Delete" danger run={run}>
      <Text size="sm">
        {isActive(topUp)
          ? `This lowers the limit by ${amount} from the next request on. You cannot undo this.`
          : 'The top-up has expired, so the limit does not change. You cannot undo this.'}
      </Text>
    </Confirm>
  );
}
