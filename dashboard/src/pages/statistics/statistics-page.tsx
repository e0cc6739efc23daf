import { Group, NativeSelect, Stack, Tabs } from '@mantine/core';
import { Page } from '../../parts/page';
import { PeriodChooser } from '../../parts/period-chooser';
import { useSearchState } from '../../parts/use-search-state';
import { KeySelect } from '../../parts/key-select';
import { EndpointTable, KeyTable, ModelTable } from './statistics-tables';
import { ModelField } from '../../parts/model-field';
import { SampleNote } from './sample-note';
import { limitOf, LIMITS } from './use-question';

const TABS = [
  { value: 'endpoints', label: 'Endpoints', table: EndpointTable },
  { value: 'keys', label: 'Keys', table: KeyTable },
  { value: 'models', label: 'Models', table: ModelTable },
] as const;

export function StatisticsPage() {
  const { get, set } = useSearchState();
  const tab = TABS.find(({ value }) => value === get('tab'))?.value ?? 'endpoints';
  return (
    <Page title="Statistics">
      <Stack gap="sm">
        <Filters />
        <SampleNote />
      </Stack>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => set({ tab: value === 'endpoints' ? null : value, sort_by: null, sort_dir: null })}
      >
        <Tabs.List mb="sm">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, table: Table }) => (
          <Tabs.Panel key={value} value={value}>
            <Table />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function Filters() {
  const { get, set } = useSearchState();
  return (
    <Group align="end" gap="md">
      <PeriodChooser grain="moment" />
      <KeySelect value={get('key_id')} onChange={(id) => set({ key_id: id })} />
      <ModelField value={get('model')} onChange={(model) => set({ model })} />
      <NativeSelect
        label="Rows"
        size="xs"
        w={90}
        data={LIMITS.map(String)}
        value={String(limitOf(get('limit')))}
        onChange={({ currentTarget: { value } }) => set({ limit: value === String(LIMITS[0]) ? null : value })}
      />
    </Group>
  );
}
