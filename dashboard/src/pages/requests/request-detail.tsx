import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { CodedText } from '../../parts/coded-text';
import { FactsTable, type Fact } from '../../parts/facts-table';
import { Moment } from '../../parts/moment';
import { count, latency } from '../../parts/numbers';
import { CopyButton } from '../../parts/copy-button';
import { RequestAttempts } from './request-attempts';
import { RequestCost } from './request-cost';
import { wordsOf } from './request-outcome';
import { RequestStatus } from './request-status';
import type { RequestLog } from './request-types';

export function RequestDetail({ of: log }: { readonly of: RequestLog }) {
  return (
    <Stack>
      <Why of={log} />
      <FactsTable facts={factsOf(log)} />
      {log.attempts !== null && <RequestAttempts attempts={log.attempts} />}
      {log.cost_details !== null && <RequestCost cost={log.cost} details={log.cost_details} />}
      <More of={log} />
    </Stack>
  );
}

function Why({ of: log }: { readonly of: RequestLog }) {
  const words = wordsOf(log);
  if (words === null) return null;
  return (
    <Alert
      color={log.status >= 500 ? 'red' : 'orange'}
      variant="outline"
      title={log.status === 499 ? 'How it ended' : log.status >= 500 ? 'Why it failed' : 'Why it was rejected'}
    >
      <Stack gap={4}>
        {log.error_message !== null && (
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {log.error_message}
          </Text>
        )}
        <Text size="sm">
          <CodedText text={words.what} />
        </Text>
        <Text size="sm">
          <CodedText text={words.help} />
        </Text>
      </Stack>
    </Alert>
  );
}

function factsOf(log: RequestLog): readonly Fact[] {
  return [
    { name: 'Request ID', value: <WithCopy text={log.request_id} label="Copy request ID" /> },
    { name: 'Time', value: <Moment at={log.created_at} /> },
    { name: 'Request', value: `${log.method} ${log.endpoint}` },
    { name: 'Status', value: <RequestStatus status={log.status} /> },
    { name: 'Error code', value: log.error_code === null ? 'none' : <code>{log.error_code}</code> },
    { name: 'Key', value: <KeyLink {...log} /> },
    ...(log.team_id === null ? [] : [{ name: 'Team', value: <TeamLink id={log.team_id} name={log.team_name} /> }]),
    { name: 'Model', value: log.model === null ? 'none' : <ModelLink model={log.model} /> },
    { name: 'Latency', value: `${latency(log.latency_ms)} until the end of the response` },
    {
      name: 'Provider',
      value:
        log.upstream_latency_ms === null
          ? 'not called'
          : `${latency(log.upstream_latency_ms)} until its response started, or the request ended`,
    },
    ...(log.upstream === null ? [] : [{ name: 'Upstream', value: <UpstreamLink name={log.upstream} /> }]),
    { name: 'Input tokens', value: count(log.input_tokens) },
    { name: 'Output tokens', value: count(log.output_tokens) },
    { name: 'Source of tokens', value: SOURCES[log.usage_source ?? 'none'] },
    { name: 'Streamed', value: log.stream ? 'yes' : 'no' },
    { name: 'Kept for', value: log.sampled ? 'one year, as a part of the sample' : '7 days' },
  ];
}

const SOURCES: Readonly<Record<NonNullable<RequestLog['usage_source']>, string>> = {
  reported: 'reported by the provider',
  partial: 'partly reported, because the stream was interrupted',
  estimated: 'estimated by the gateway',
  none: 'no tokens',
};

function WithCopy({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <CopyButton text={text} label={label} />
    </Group>
  );
}

function KeyLink({ key_id, key_name }: RequestLog) {
  return (
    <Anchor component={Link} to={`/keys/${key_id}`} size="sm">
      {key_name ?? key_id}
    </Anchor>
  );
}

const TeamLink = ({ id, name }: { readonly id: string; readonly name: string | null }) => (
  <Anchor component={Link} to={`/teams/${id}`} size="sm">
    {name ?? id}
  </Anchor>
);

function ModelLink({ model }: { readonly model: string }) {
  return (
    <Anchor component={Link} to={`/models?search=${encodeURIComponent(model)}`} size="sm">
      {model}
    </Anchor>
  );
}

const UpstreamLink = ({ name }: { readonly name: string }) => (
  <Anchor component={Link} to={`/upstreams/${name}`} size="sm">
    {name}
  </Anchor>
);

function More({ of: log }: { readonly of: RequestLog }) {
  const links: readonly { readonly label: string; readonly query: Record<string, string> }[] = [
    { label: 'Only this request', query: { request_id: log.request_id } },
    { label: 'Requests of this key', query: { key_id: log.key_id } },
    ...(log.model === null ? [] : [{ label: 'Requests for this model', query: { model: log.model } }]),
    { label: `Requests with status ${log.status}`, query: { status: String(log.status) } },
    ...(log.error_code === null
      ? []
      : [{ label: 'Requests with this error code', query: { error_code: log.error_code } }]),
  ];
  return (
    <Group gap="md">
      {links.map(({ label, query }) => (
        <Anchor key={label} component={Link} to={`/requests?${new URLSearchParams(query).toString()}`} size="sm">
          {label}
        </Anchor>
      ))}
    </Group>
  );
}
