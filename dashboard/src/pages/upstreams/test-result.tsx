import { Alert, Box, Text } from '@mantine/core';
import { ErrorNotice } from '../../parts/error-notice';
import { count, latency, plural } from '../../parts/numbers';
import type { TestedUpstream } from './upstream-types';
import type { UpstreamTest } from './use-upstream-test';

/** The live region exists before its content, so that screen readers announce the result. */
export function TestResult({ test: { result, error } }: { readonly test: UpstreamTest }) {
  return (
    <div role="status">
      {error !== null && (
        <Box mt="md">
          <ErrorNotice error={error} />
        </Box>
      )}
      {result !== null && (
        <Alert
          color={result.ok ? 'green' : 'red'}
          variant="outline"
          mt="md"
          title={result.ok ? 'The test succeeded' : 'The test failed'}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {result.message}
          </Text>
          <Text size="sm">{figuresOf(result)}</Text>
        </Alert>
      )}
    </div>
  );
}

function figuresOf({ status, latency_ms, models }: TestedUpstream): string {
  return [
    status === null ? 'no response' : `status ${status}`,
    latency(latency_ms),
    ...(models === null ? [] : [`${count(models)} ${plural(models, 'model')} on the first page of the list`]),
  ].join(' · ');
}
