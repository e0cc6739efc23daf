import { Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChartPoint } from './chart-series';
import { ChartSpark } from './chart-spark';
import { count } from './numbers';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  /** The exact value, shown on hover. */
  readonly full?: string;
  readonly detail?: ReactNode;
  readonly to?: string;
  readonly spark?: Spark;
}

interface Spark {
  readonly points: readonly ChartPoint[];
  readonly name: string;
  readonly color: string;
  readonly format?: (value: number) => string;
  readonly additive?: boolean;
}

/** Reserves two lines, so that hovering a bar does not move the layout. */
const TWO_LINES = 44;

export function ChartTile({ label, value, full, detail, to, spark }: Props) {
  const [over, setOver] = useState<ChartPoint | null>(null);
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }} miw={0} style={{ overflowWrap: 'anywhere' }}>
      <Title order={3} size="sm" fw={500}>
        {to === undefined ? (
          label
        ) : (
          <Anchor component={Link} to={to} inherit>
            {label}
          </Anchor>
        )}
      </Title>
      {value === undefined ? (
        <Skeleton height={32} width={110} my={4} />
      ) : (
        <Text fz={26} fw={650} lh={1.3} title={full}>
          {value}
        </Text>
      )}
      <Text
        size="sm"
        component="div"
        mih={spark === undefined ? undefined : TWO_LINES}
        mb={spark === undefined ? 0 : 6}
      >
        {over === null || spark === undefined ? detail : textOf(spark, over)}
      </Text>
      {spark !== undefined && (
        <>
          <ChartSpark title={label} {...spark} onPoint={setOver} />
          <Span {...spark} />
        </>
      )}
    </Paper>
  );
}

const textOf = ({ name, format = count }: Spark, { title, values }: ChartPoint): string =>
  `${title}: ${format(values[name] ?? 0)}`;

/** Shows the first and last day. The image label contains both, so screen readers skip it. */
function Span({ points }: Spark) {
  return (
    <Group justify="space-between" wrap="nowrap" gap={4} aria-hidden="true">
      {[points[0]?.label, points.at(-1)?.endLabel].map((label, index) => (
        <Text key={index} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {label}
        </Text>
      ))}
    </Group>
  );
}
