import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { ModelRow } from './model-types';

const SHOWN_MAX = 3;

/** Many names would make rows tall, so only a few are shown and the others are listed on hover. */
export function ModelUpstreams({ gw_upstreams: names = [] }: ModelRow) {
  if (names.length === 0) return '–';
  const others = names.slice(SHOWN_MAX);
  return (
    <Stack gap={0} miw={100} maw={200}>
      {names.slice(0, SHOWN_MAX).map((name) => (
        <Anchor key={name} component={Link} to={`/upstreams/${name}`} size="sm" {...clamped(name)}>
          {name}
        </Anchor>
      ))}
      {others.length > 0 && (
        <Text size="xs" title={others.join(', ')}>
          and {others.length} more
        </Text>
      )}
    </Stack>
  );
}
