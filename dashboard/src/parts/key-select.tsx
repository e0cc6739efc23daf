import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { responseBodyOf, api } from '../api/client';
import type { components } from '../api/schema';

type ApiKey = components['schemas']['ApiKeyResponse'];

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  /** A key ID. null means all keys, or that no key is chosen yet. */
  readonly value?: string | null;
  readonly onChange: (id: string | null) => void;
}

const PAUSE_MS = 300;
const OFFERED = 20;
const NAME_MAX = 255;

/** The gateway searches names and IDs, because the list can be long. */
export function KeySelect({ value = null, onChange, placeholder = 'All keys', ...look }: Props) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed, PAUSE_MS);
  const chosen = useQuery({
    queryKey: ['keys', value],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/api-keys/{id}', { params: { path: { id: value ?? '' } }, signal })),
    enabled: value !== null,
  });
  const label = value === null ? '' : chosen.data === undefined ? value : labelOf(chosen.data);
  const name = asked.trim() === label ? '' : asked.trim().slice(0, NAME_MAX);
  const found = useQuery({
    queryKey: ['keys', 'list', 'choice', name],
    queryFn: ({ signal }) => {
      const query = { limit: OFFERED, sort_by: 'name', sort_dir: 'asc', ...(name === '' ? {} : { name }) } as const;
      return responseBodyOf(api.GET('/admin/api-keys', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.keys ?? []).filter(({ id }) => id !== value);
  return (
    <Select
      label="Key"
      size="xs"
      w={280}
      {...look}
      placeholder={placeholder}
      maw="100%"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': placeholder }}
      nothingFoundMessage={found.isError ? 'The keys could not be loaded.' : 'No key has this text in its name or ID.'}
      data={[
        ...(value === null ? [] : [{ value, label }]),
        ...others.map((key) => ({ value: key.id, label: labelOf(key) })),
      ]}
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}

const labelOf = ({ name, key_hint, status }: ApiKey): string =>
  status === 'active' ? `${name} (${key_hint})` : `${name} (${key_hint}, ${status})`;
