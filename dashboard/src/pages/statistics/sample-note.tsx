import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { shareText } from '../../parts/numbers';
import { linkWith } from '../../parts/period';
import { usePeriod } from '../../parts/period-state';
import { useSampleRate } from '../requests/request-queries';

export function SampleNote() {
  const period = usePeriod();
  const sampleRate = useSampleRate();
  return (
    <Text size="sm" maw={760}>
      These figures come from a sample of {sampleRate === undefined ? '' : `${shareText(sampleRate)} of `}the requests (
      <code>GW_LOG_SAMPLE_RATE</code>). Rates and latencies are close to those of all requests. Counts, tokens and costs
      are those of the sampled requests. For exact ones, see{' '}
      <Anchor component={Link} to={linkWith('/usage', period)} inherit underline="always">
        usage
      </Anchor>{' '}
      and{' '}
      <Anchor component={Link} to={linkWith('/costs', period)} inherit underline="always">
        costs
      </Anchor>
      .
    </Text>
  );
}
