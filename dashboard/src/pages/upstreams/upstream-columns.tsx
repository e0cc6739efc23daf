import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { count } from '../../parts/numbers';
import { UpstreamStatus } from './upstream-status';
import type { Upstream } from './upstream-types';
import {
  apisInWords,
  connectionsInWords,
  failoversInWords,
  hitRateInWords,
  hitRateOf,
  latencyInWords,
  placeInWords,
  shareInWords,
} from './upstream-words';

export const UPSTREAM_COLUMNS: readonly Column<Upstream>[] = [
  { header: 'Name', cell: Name, csv: ({ name }) => name },
  { header: 'Status', cell: UpstreamStatus, csv: ({ status }) => status },
  { header: 'APIs', cell: apisInWords, csv: ({ apis }) => apis.join(' ') },
  { header: 'Models', align: 'right', cell: ({ models }) => count(models), csv: ({ models }) => models },
  {
    header: 'Running',
    align: 'right',
    cell: (row) => <TwoLines first={count(row.running)} second={connectionsInWords(row)} />,
    csv: ({ running }) => running,
  },
  { header: 'Connections', csv: ({ connections }) => connections },
  { header: 'Waiting', csv: ({ waiting }) => waiting },
  { header: 'Share', align: 'right', cell: shareInWords, csv: ({ share }) => share },
  { header: 'Latency', align: 'right', cell: latencyInWords, csv: ({ latency_ms }) => latency_ms },
  {
    header: 'Requests',
    align: 'right',
    cell: (row) => <TwoLines first={count(row.attempts)} second={failoversInWords(row)} />,
    csv: ({ attempts }) => attempts,
  },
  { header: 'Failovers', csv: ({ failovers }) => failovers },
  { header: 'Fallbacks for the context length', csv: ({ fallbacks }) => fallbacks.context_length },
  { header: 'Fallbacks for the content filter', csv: ({ fallbacks }) => fallbacks.content_filter },
  {
    header: 'Cache hits',
    align: 'right',
    cell: hitRateInWords,
    csv: hitRateOf,
  },
  { header: 'Cached tokens', csv: ({ cached_tokens }) => cached_tokens },
  { header: 'Input tokens', csv: ({ input_tokens }) => input_tokens },
  { header: 'Saved by the cache', csv: ({ cache_saved }) => cache_saved },
  { header: 'Region, tags', cell: Place, csv: placeInWords },
  { header: 'Base URL', csv: ({ base_url }) => base_url },
  { header: 'Draining since', csv: ({ draining_since }) => draining_since },
];

function Name({ name }: Upstream) {
  return (
    <Anchor component={Link} to={`/upstreams/${name}`} size="sm" fw={500} miw={120} maw={260} {...clamped(name)}>
      {name}
    </Anchor>
  );
}

function Place(row: Upstream) {
  const place = placeInWords(row);
  if (place === '') return '–';
  return (
    <Text size="sm" miw={110} maw={240} {...clamped(place)}>
      {place}
    </Text>
  );
}

function TwoLines({ first, second }: { readonly first: string; readonly second: string }) {
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm">{first}</Text>
      <Text size="xs">{second}</Text>
    </Stack>
  );
}
