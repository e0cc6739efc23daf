import { Button, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../parts/data-table';
import { Page } from '../../parts/page';
import { useHasRole } from '../../session/use-session';
import { useOperatorNames } from '../audit/use-names';
import { costColumns, useListedCosts } from '../costs/listed-costs';
import { BlockById } from './block-by-id';
import { modelColumns } from './model-columns';
import { ModelLegend } from './model-legend';
import type { ModelRow } from './model-types';
import { ModelsEmpty } from './models-empty';
import { ModelsFilters } from './models-filters';
import { useRefreshCatalog } from './refresh-catalog';
import { useModelDialogs } from './use-model-dialogs';
import { PAGE_SIZE, useModelList } from './use-model-list';

export function ModelsPage() {
  const mayChange = useHasRole('admin');
  const { models, filtered } = useModelList();
  const { ask, dialogs } = useModelDialogs();
  const { button, notice } = useRefreshCatalog();
  const { block, blocking } = useBlocking();
  const costs = useListedCosts('model');
  const operator = useOperatorNames();
  const { data } = models;
  return (
    <Page
      title="Models"
      actions={
        mayChange && (
          <>
            {button}
            <Button variant="default" onClick={() => block('')}>
              Block model by ID
            </Button>
          </>
        )
      }
    >
      <Stack gap="md">
        {notice}
        <ModelsFilters />
        <ModelLegend />
        <Title order={2} className="visually-hidden">
          Model list
        </Title>
        <DataTable
          label="Models"
          columns={modelColumns({
            ask: mayChange ? ask : null,
            operator,
            upstreams: hasUpstreams(data?.models),
            costs: costColumns(costs, ({ model }) => model),
          })}
          rows={data?.models}
          rowId={({ model }) => model}
          reading={models}
          empty={<ModelsEmpty filtered={filtered} total={data?.total ?? 0} block={mayChange ? block : null} />}
          paging={{ total: data?.total ?? 0, pageSize: PAGE_SIZE }}
        />
      </Stack>
      {dialogs}
      {blocking}
    </Page>
  );
}

/** The field is absent with a single account. */
const hasUpstreams = (rows: readonly ModelRow[] = []): boolean => rows.some((row) => row.gw_upstreams !== undefined);

/** `turn` makes the form new and empty each time it opens. */
function useBlocking() {
  const [given, setGiven] = useState<{ model: string; turn: number } | null>(null);
  const [opened, setOpened] = useState(false);
  return {
    block: (model: string) => {
      setGiven((before) => ({ model, turn: (before?.turn ?? 0) + 1 }));
      setOpened(true);
    },
    blocking: given !== null && (
      <BlockById key={given.turn} opened={opened} onClose={() => setOpened(false)} model={given.model} />
    ),
  };
}
