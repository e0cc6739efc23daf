import { Badge, Button, Stack, Text } from '@mantine/core';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { priceInDollars } from '../../parts/dollars';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { kindInWords, unitOfPrice, USAGE_KIND_NAMES } from '../../parts/usage-kinds.data';
import type { Price } from './price-types';
import type { AskForPrice } from './use-price-dialogs';

/**
 * @param ask null for an operator who must not change prices
 * @param operator returns the name of an operator by ID
 */
export const priceColumns = (ask: AskForPrice | null, operator: (id: string) => string): readonly Column<Price>[] => [
  { header: 'Model', cell: Model, csv: ({ model }) => model },
  { header: 'Upstream', cell: upstreamInWords, csv: ({ provider }) => provider },
  { header: 'State', cell: State, csv: ({ state }) => state },
  { header: 'Prices', cell: Prices, csv: ({ prices }) => JSON.stringify(prices) },
  { header: 'Valid', cell: Valid },
  { header: 'Valid from', csv: ({ valid_from }) => valid_from },
  { header: 'Valid to', csv: ({ valid_to }) => valid_to },
  { header: 'Note', cell: (price) => <Note of={price} setter={setterOf(price, operator)} />, csv: ({ note }) => note },
  { header: 'Set by', csv: (price) => setterOf(price, operator) },
  ...(ask === null ? [] : [{ header: 'Action', cell: (price: Price) => <Delete of={price} ask={ask} /> }]),
];

const COLORS = { active: 'green', scheduled: 'indigo', superseded: 'gray', ended: 'gray' } as const;

const State = ({ state }: Price) => (
  <Badge color={COLORS[state]} variant="light" miw="max-content">
    {state}
  </Badge>
);

export const upstreamInWords = ({ provider }: Pick<Price, 'provider'>): string =>
  provider === '*' ? 'all upstreams' : provider;

function setterOf({ created_by }: Price, operator: (id: string) => string): string {
  if (created_by === 'admin_key') return 'Admin key';
  return created_by === 'system' ? 'Command line' : operator(created_by);
}

const Model = ({ model }: Price) => (
  <Text size="sm" fw={500} miw={140} maw={280} {...clamped(model)}>
    {model}
  </Text>
);

function Prices({ prices, list, tiers, images, factors }: Price) {
  if (list !== null) return `as published for ${list}`;
  const more = [
    counted(tiers.length, 'tier'),
    counted(images.length, 'image price'),
    counted(factors.length, 'factor'),
  ].filter((text) => text !== null);
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      {USAGE_KIND_NAMES.map((kind) => {
        const price = prices[kind];
        if (price === undefined) return null;
        return (
          <Text key={kind} size="xs">
            {kindInWords(kind)}: {priceInDollars(price)} {unitOfPrice(kind)}
          </Text>
        );
      })}
      {more.length > 0 && <Text size="xs">{more.join(', ')}</Text>}
    </Stack>
  );
}

const counted = (number: number, what: string): string | null =>
  number === 0 ? null : `${count(number)} ${what}${number === 1 ? '' : 's'}`;

const Valid = ({ valid_from, valid_to }: Price) => (
  <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
    <Text size="xs" component="div">
      from <Moment at={valid_from} />
    </Text>
    <Text size="xs" component="div">
      to <Moment at={valid_to} never="no end" />
    </Text>
  </Stack>
);

function Note({ of: { note }, setter }: { readonly of: Price; readonly setter: string }) {
  return (
    <Stack gap={0} miw={110} maw={220}>
      {note !== null && (
        <Text size="sm" {...clamped(note)}>
          {note}
        </Text>
      )}
      <Text size="xs">set by {setter}</Text>
    </Stack>
  );
}

const Delete = ({ of: price, ask }: { readonly of: Price; readonly ask: AskForPrice }) => (
  <Button
    size="compact-sm"
    variant="default"
    aria-label={`Delete the price of ${price.model}`}
    onClick={() => ask({ kind: 'delete', price })}
  >
    Delete
  </Button>
);
