import { Checkbox, Fieldset, Input, Radio, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { EVENT_GROUPS } from './event-types.data';
import type { Webhook } from './webhook-types';

type Events = Webhook['events'];

interface Props {
  readonly value: Events;
  readonly onChange: (events: Events) => void;
  readonly error?: ReactNode;
}

const TYPES = EVENT_GROUPS.flatMap(({ types }) => types.map(({ type }) => type));

export function EventsField({ value, onChange, error }: Props) {
  const all = value.includes('*');
  const chosen = (names: readonly string[]): Events => [
    ...TYPES.filter((type) => names.includes(type)),
    // Keep types that are unknown to this page.
    ...value.filter((type) => type !== '*' && !TYPES.some((known) => known === type)),
  ];
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Events"
        value={all ? 'all' : 'some'}
        onChange={(which) => onChange(which === 'all' ? ['*'] : [])}
      >
        <Stack gap="xs" mt={4}>
          <Radio value="all" label="All events" description="Includes the event types of later gateway versions." />
          <Radio value="some" label="Selected events" />
        </Stack>
      </Radio.Group>
      {!all && (
        <Checkbox.Group value={[...value]} onChange={(names) => onChange(chosen(names))} aria-label="Events to send">
          <SimpleGrid type="container" cols={{ base: 1, '680px': 2 }} spacing="sm">
            {EVENT_GROUPS.map(({ label, types }) => (
              <Fieldset key={label} legend={label}>
                <Stack gap="xs">
                  {types.map(({ type, label: name, explanation }) => (
                    <Checkbox key={type} value={type} label={name} description={explanation} />
                  ))}
                </Stack>
              </Fieldset>
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
      {error !== undefined && error !== null && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}
