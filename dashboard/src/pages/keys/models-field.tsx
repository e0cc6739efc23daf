import { Stack, TagsInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useModelChoice } from './key-queries';
import type { KeyForm } from './use-key-form';

const PAUSE_MS = 250;
const SHOWN = 100;

/** Accepts any model ID, because the provider might list the model later. */
export function ModelsField({ form }: { readonly form: KeyForm }) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), PAUSE_MS);
  const { data } = useModelChoice(asked);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Models
      </Title>
      <TagsInput
        label="Allowed models"
        description="Select or type exact model IDs. Leave empty for all models that the gateway allows."
        placeholder={form.values.allowed_models.length === 0 ? 'All models' : undefined}
        data={data?.models.map(({ model }) => model) ?? []}
        limit={SHOWN}
        searchValue={search}
        onSearchChange={setSearch}
        splitChars={[',', ' ']}
        clearable
        clearButtonProps={{ 'aria-label': 'Allow all models' }}
        maw={720}
        {...form.getInputProps('allowed_models')}
      />
    </Stack>
  );
}
