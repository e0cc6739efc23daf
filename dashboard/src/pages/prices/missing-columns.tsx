import { Button, Stack, Text } from '@mantine/core';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { kindInWords } from '../../parts/usage-kinds.data';
import type { MissingPrice } from './price-types';
import type { AskForPrice } from './use-price-dialogs';

/** @param ask null for an operator who must not change prices */
export const missingColumns = (ask: AskForPrice | null): readonly Column<MissingPrice>[] => [
  { header: 'Model', cell: Model, csv: ({ model }) => model },
  { header: 'Upstream', cell: ({ provider }) => provider, csv: ({ provider }) => provider },
  { header: 'Requests', align: 'right', cell: requestsInWords, csv: ({ requests }) => requests },
  { header: 'Without a price', cell: Unpriced, csv: ({ unpriced_kinds }) => unpriced_kinds.join(' ') },
  { header: 'Units', cell: Units, wide: true },
  { header: 'First used', cell: ({ first_used_at }) => <When at={first_used_at} />, csv: (row) => row.first_used_at },
  { header: 'Last used', cell: ({ last_used_at }) => <When at={last_used_at} />, csv: (row) => row.last_used_at },
  ...(ask === null ? [] : [{ header: 'Action', cell: (row: MissingPrice) => <Action of={row} ask={ask} /> }]),
];

const requestsInWords = ({ requests, requests_capped }: MissingPrice): string =>
  `${count(requests)}${requests_capped ? ' or more' : ''}`;

const Model = ({ model }: MissingPrice) => (
  <Text size="sm" fw={500} miw={140} maw={280} {...clamped(model)}>
    {model}
  </Text>
);

function Unpriced({ unpriced_kinds }: MissingPrice) {
  const words = unpriced_kinds.length === 0 ? 'now has a price' : unpriced_kinds.map(kindInWords).join(', ');
  return (
    <Text size="sm" miw={130} maw={260}>
      {words}
    </Text>
  );
}

function Units({ units }: MissingPrice) {
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      {Object.entries(units)
        .filter(([kind]) => kind !== 'requests')
        .map(([kind, number]) => (
          <Text key={kind} size="xs">
            {kindInWords(kind)}: {number === 0 ? 'not reported' : count(number)}
          </Text>
        ))}
    </Stack>
  );
}

const When = ({ at }: { readonly at: string }) => (
  <span style={{ whiteSpace: 'nowrap' }}>
    <Moment at={at} ago />
  </span>
);

/** If all kinds have received a price since then, only the costs need to be recomputed. */
function Action({ of: missing, ask }: { readonly of: MissingPrice; readonly ask: AskForPrice }) {
  const { model, provider } = missing;
  const priced = missing.unpriced_kinds.length === 0;
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={priced ? `Recompute the costs of ${model} at ${provider}` : `Set a price for ${model} at ${provider}`}
      onClick={() => ask(priced ? { kind: 'recompute', missing } : { kind: 'set', missing })}
    >
      {priced ? 'Recompute' : 'Set a price'}
    </Button>
  );
}
