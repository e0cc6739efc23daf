import { Code } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state';

export function SingleAccount() {
  return (
    <EmptyState title="This gateway uses one account">
      All requests go to the provider account of <Code>GW_UPSTREAM_BASE_URL</Code>. To use several accounts, describe
      them in a file and name it in <Code>GW_UPSTREAMS</Code>: see <Code>docs/upstreams.md</Code>.
    </EmptyState>
  );
}
