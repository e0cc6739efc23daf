import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { responseBodyOf, api } from '../api/client';

interface Props {
  readonly value: string | null;
  readonly onChange: (model: string | null) => void;
}

const PAUSE_MS = 300;
const OFFERED = 20;
const MODEL_MAX = 200;

/** Accepts any model name, because logs also contain models that the provider has removed. */
export function ModelField({ value, onChange }: Props) {
  const [typed, setTyped] = useState(value ?? '');
  useEffect(() => setTyped(value ?? ''), [value]);
  const [asked] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const search = asked === value ? '' : asked;
  const found = useQuery({
    queryKey: ['models', 'offered', search],
    queryFn: ({ signal }) => {
      const query = { limit: OFFERED, ...(search === '' ? {} : { search }) };
      return responseBodyOf(api.GET('/admin/model-allowlist', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
  function take(model: string): void {
    if (model.trim() !== (value ?? '')) onChange(model.trim() === '' ? null : model.trim());
  }
  return (
    <Autocomplete
      label="Model"
      placeholder="All models"
      size="xs"
      w={220}
      maw="100%"
      maxLength={MODEL_MAX}
      data={(found.data?.models ?? []).map(({ model }) => model)}
      filter={({ options }) => options}
      clearable
      clearButtonProps={{ 'aria-label': 'All models' }}
      onClear={() => take('')}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={take}
      onBlur={() => take(typed)}
      onKeyDown={(event) => {
        // If an option is active, Enter selects the option.
        if (event.key === 'Enter' && !event.currentTarget.hasAttribute('aria-activedescendant'))
          event.currentTarget.blur();
      }}
    />
  );
}
