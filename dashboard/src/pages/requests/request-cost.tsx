import { Alert, Stack, Table, Text, Title } from '@mantine/core';
import { Amount, UnpricedMark } from '../../parts/amount';
import { priceInDollars } from '../../parts/dollars';
import { FactsTable, type Fact } from '../../parts/facts-table';
import { Moment } from '../../parts/moment';
import { count } from '../../parts/numbers';
import { kindInWords } from '../../parts/usage-kinds.data';
import type { RequestLog } from './request-types';

type Details = NonNullable<RequestLog['cost_details']>;
type Line = Details['lines'][number];

export function RequestCost({ cost, details }: { readonly cost: string | null; readonly details: Details }) {
  const { lines, unpriced } = details;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Cost
      </Title>
      {unpriced.length > 0 && <Unpriced kinds={unpriced} known={cost !== null} />}
      <FactsTable facts={factsOf(cost, details)} />
      {lines.length > 0 && <Lines lines={lines} />}
    </Stack>
  );
}

function Unpriced({ kinds, known }: { readonly kinds: readonly string[]; readonly known: boolean }) {
  return (
    <Alert color="orange" variant="outline" title={known ? 'The cost is a lower bound' : 'The cost is unknown'}>
      <Text size="sm">
        Without a price: {kinds.map(kindInWords).join(', ')}. <UnpricedMark requests={1} />
      </Text>
    </Alert>
  );
}

function factsOf(cost: string | null, details: Details): readonly Fact[] {
  const { price, provider, tier_above, service_tier, region, factor, recomputed_at, reasoning_tokens } = details;
  const optional = (name: string, value: string | null) => (value === null ? [] : [{ name, value }]);
  return [
    { name: 'Cost', value: <ExactAmount cost={cost} atLeast={details.unpriced.length > 0} /> },
    { name: 'Price', value: price ?? 'none' },
    { name: 'Priced for', value: provider },
    ...optional('Tier', tier_above === null ? null : `more than ${count(tier_above)} input tokens`),
    ...optional('Service tier', service_tier),
    ...optional('Region', region),
    ...optional('Factor', factor === null ? null : factorInWords(factor)),
    ...optional('Reasoning', reasoning_tokens === 0 ? null : `${count(reasoning_tokens)} tokens of the output`),
    ...optional('Notes', notesOf(details)),
    ...(recomputed_at === null ? [] : [{ name: 'Recomputed', value: <Moment at={recomputed_at} /> }]),
  ];
}

function ExactAmount({ cost, atLeast }: { readonly cost: string | null; readonly atLeast: boolean }) {
  return (
    <>
      <Amount cost={cost} atLeast={atLeast} />
      {cost !== null && ` (exactly ${cost} USD)`}
    </>
  );
}

const ASSUMED: Readonly<Record<string, string>> = { serviceTier: 'service tier', region: 'region' };

function notesOf({ estimated, assumed, corrected, unmeasured, image_assumed }: Details): string | null {
  const notes = [
    ...(estimated ? ['Tokens were estimated, at least in part.'] : []),
    ...assumed.map(assumptionOf),
    ...(corrected.length > 0 ? [`Impossible figures were limited: ${corrected.join(', ')}.`] : []),
    ...(unmeasured.length > 0 ? [`Billed, but not in the response: ${unmeasured.map(kindInWords).join(', ')}.`] : []),
    ...(image_assumed ? ['The size of the image is unknown, so the highest price applies.'] : []),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}

const assumptionOf = (name: string): string =>
  name in ASSUMED
    ? `No price is published for this ${ASSUMED[name]}, so the usual one applies.`
    : `${kindInWords(name)} can cost more than the price that was applied, because it has no price of its own.`;

const factorInWords = ({ numerator, denominator }: NonNullable<Details['factor']>): string =>
  denominator === 1 ? `× ${numerator}` : `× ${numerator}/${denominator}`;

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} aria-label="Lines of the cost" role="region">
      <Table withTableBorder>
        <Table.Caption className="visually-hidden">Lines of the cost</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Kind</Table.Th>
            <Table.Th ta="right">Units</Table.Th>
            <Table.Th ta="right">Price</Table.Th>
            <Table.Th ta="right">Factor</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <LineRow key={line.kind} {...line} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LineRow({ kind, unit, units, price, per, priced_as, fallback, factor, amount }: Line) {
  return (
    <Table.Tr>
      <Table.Td>
        {kindInWords(kind)}
        {fallback && <Text size="xs">at the price of {kindInWords(priced_as).toLowerCase()}</Text>}
      </Table.Td>
      <Table.Td ta="right">{count(units)}</Table.Td>
      <Table.Td ta="right">
        {priceInDollars(price)}
        <Text size="xs">
          per {count(per)} {unit}s
        </Text>
      </Table.Td>
      <Table.Td ta="right">{factor === null ? '–' : factorInWords(factor)}</Table.Td>
      <Table.Td ta="right">
        <Amount cost={amount} />
      </Table.Td>
    </Table.Tr>
  );
}
