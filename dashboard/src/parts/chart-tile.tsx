import { Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ChartPoint } from './chart-series';
import { ChartSpark } from './chart-spark';
import { count } from './numbers';

interface Props {
  readonly label: string;
  /** undefined: not there yet. */
  readonly value: string | undefined;
  /** The figure in full, where the value is a short form. */
  readonly full?: string;
  /** What to know about it, below. */
  readonly detail?: ReactNode;
  /** Where there is more about it. */
  readonly to?: string;
  readonly spark?: Spark;
}

interface Spark {
  readonly points: readonly ChartPoint[];
  /** Of the figure in `values`. */
  readonly name: string;
  /** A CSS colour. */
  readonly color: string;
  readonly format?: (value: number) => string;
  /** As of a series. */
  readonly additive?: boolean;
}

/** Pixels: what is told of a day under the pointer moves nothing. */
const TWO_LINES = 44;

/** One figure of a page, with its days as small bars. */
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
        {over === null || spark === undefined ? detail : told(spark, over)}
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

const told = ({ name, format = count }: Spark, { title, values }: ChartPoint): string =>
  `${title}: ${format(values[name] ?? 0)}`;

/** Where the bars begin and end, for the eye: the image tells it to all others. */
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
