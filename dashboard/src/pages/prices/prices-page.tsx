import { Button, Stack, Text, Title } from '@mantine/core';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { PageOutOfRange } from '../../parts/empty-list';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { useOperatorNames } from '../audit/use-names';
import { missingColumns } from './missing-columns';
import { MISSING_LISTED_MAX, PAGE_SIZE, useMissingPrices, usePrices } from './price-calls';
import { priceColumns } from './price-columns';
import { usePriceDialogs, type AskForPrice } from './use-price-dialogs';

export function PricesPage() {
  const { ask, dialogs } = usePriceDialogs();
  const asked = useHasRole('admin') ? ask : null;
  return (
    <Page
      title="Prices"
      above={{ label: 'Costs', to: '/costs' }}
      actions={asked !== null && <Button onClick={() => asked({ kind: 'set', missing: null })}>Set a price</Button>}
    >
      <NeedsPrice ask={asked} />
      <OperatorPrices ask={asked} />
      {dialogs}
    </Page>
  );
}

interface Props {
  /** null for an operator who must not change prices. */
  readonly ask: AskForPrice | null;
}

function NeedsPrice({ ask }: Props) {
  const missing = useMissingPrices();
  const { data } = missing;
  return (
    <Stack component="section" gap="sm" aria-labelledby="needs-a-price">
      <Title order={2} size="h3" id="needs-a-price">
        Needs a price
      </Title>
      <Text size="sm" maw={760}>
        Requests to these models have no complete price, so the cost totals are too low. They never count as free.
      </Text>
      <DataTable
        label="Models without a price"
        columns={missingColumns(ask)}
        rows={data?.models}
        rowId={({ model, provider }) => `${provider} ${model}`}
        reading={missing}
        empty={<EmptyState title="Every request has a price">New models without a price appear here.</EmptyState>}
      />
      {data !== undefined && data.total > data.models.length && (
        <Text size="sm">Only the {MISSING_LISTED_MAX} models with the most requests are listed.</Text>
      )}
    </Stack>
  );
}

function OperatorPrices({ ask }: Props) {
  const { page } = useSearchState();
  const prices = usePrices(page);
  const total = prices.data?.total ?? 0;
  const operator = useOperatorNames();
  return (
    <Stack component="section" gap="sm" aria-labelledby="operator-prices">
      <Title order={2} size="h3" id="operator-prices">
        Prices set by operators
      </Title>
      <Text size="sm" maw={760}>
        These prices apply instead of the published list. A price never changes the cost of a request that already has
        one.
      </Text>
      <DataTable
        label="Prices of operators"
        columns={priceColumns(ask, operator)}
        rows={prices.data?.prices}
        rowId={({ id }) => id}
        reading={prices}
        empty={total > 0 ? <PageOutOfRange /> : <NoPrices />}
        paging={{ total, pageSize: PAGE_SIZE }}
      />
    </Stack>
  );
}

const NoPrices = () => <EmptyState title="No operator has set a price">All requests use published prices.</EmptyState>;
