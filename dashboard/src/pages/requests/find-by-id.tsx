import { Button, Group, Paper, TextInput } from '@mantine/core';
import { useEffect, useState, type FormEvent } from 'react';
import { useSearchState } from '../../parts/use-search-state';
import { requestIdIn } from './request-id.rules';
import { FILTERS } from './use-request-list';

const NO_ID = 'This text contains no request ID. A request ID looks like 0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57.';
const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, null]));

export function FindById() {
  const { get, set } = useSearchState();
  const asked = get('request_id') ?? '';
  const [text, setText] = useState(asked);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setText(asked), [asked]);

  function find(event: FormEvent): void {
    event.preventDefault();
    const id = requestIdIn(text);
    setError(id === null && text.trim() !== '' ? NO_ID : null);
    if (id !== null) {
      setText(id);
      set({ ...NO_FILTERS, request_id: id, show: null });
    } else if (text.trim() === '') set({ request_id: null });
  }

  return (
    <Paper withBorder p="md" component="form" onSubmit={find} role="search" aria-label="Find a request by ID">
      <Group align="start" gap="sm">
        <TextInput
          label="Find by request ID"
          description="The X-Request-Id response header, or “request_id” in an error. Also finds rejected and failed requests from the last 7 days."
          placeholder="0198c0de-6b2c-7f11-9d4e-2f6a8c1b3e57"
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          maxLength={500}
          value={text}
          error={error}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: '1 1 280px' }}
          maw={680}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Group gap="xs" style={{ alignSelf: 'end' }} pb={error === null ? 0 : 22}>
          <Button type="submit">Find</Button>
          {asked !== '' && (
            <Button variant="default" onClick={() => set({ request_id: null })}>
              All requests
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}
