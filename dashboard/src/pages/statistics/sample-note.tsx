import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { linkWith } from '../../parts/period';
import { usePeriod } from '../../parts/period-state';

/** What these figures are of. */
export function SampleNote() {
  const period = usePeriod();
  return (
    <Text size="sm" maw={760}>
      Figures of the sample: the gateway keeps a share of all requests (<code>GW_LOG_SAMPLE_RATE</code>, 1 % by default)
      and counts those. Rates and latencies are close to those of all requests; for exact counts see{' '}
      <Anchor component={Link} to={linkWith('/usage', period)} inherit underline="always">
        usage
      </Anchor>
      .
    </Text>
  );
}
