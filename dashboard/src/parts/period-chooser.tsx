import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { dateOf, datesProblem, daysOf, paramsOf, PERIOD_DAYS, periodOf, type DayRange } from './period';
import { useSearchState } from './use-search-state';

interface Props {
  /** The shortest period is today with `day`, and the last 24 hours with `moment`. */
  readonly grain: 'day' | 'moment';
}

const OWN = 'own';

export function PeriodChooser({ grain }: Props) {
  const { params, set } = useSearchState();
  const period = periodOf(params);
  const data = [
    ...PERIOD_DAYS.map((days) => ({ value: String(days), label: labelOf(days, grain) })),
    { value: OWN, label: 'Custom' },
  ];
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Period"
        size="xs"
        data={data}
        value={period.kind === 'dates' ? OWN : String(period.days)}
        onChange={(value) =>
          set(paramsOf(value === OWN ? { kind: 'dates', ...daysOf(period) } : { kind: 'days', days: Number(value) }))
        }
      />
      {period.kind === 'dates' && (
        <Dates from={period.from} to={period.to} change={(days) => set(paramsOf({ kind: 'dates', ...days }))} />
      )}
    </Stack>
  );
}

/** Keeps the input local until both days are valid. */
function Dates({ from, to, change }: DayRange & { readonly change: (days: DayRange) => void }) {
  const [typed, setTyped] = useState<DayRange>({ from, to });
  const problem = datesProblem(typed.from, typed.to);
  useEffect(() => setTyped({ from, to }), [from, to]);
  function type(next: DayRange): void {
    setTyped(next);
    if (datesProblem(next.from, next.to) === null) change(next);
  }
  const today = dateOf(Date.now());
  return (
    <Stack gap={4}>
      <Group gap="xs" align="end">
        <TextInput
          type="date"
          size="xs"
          label="First day"
          max={today}
          value={typed.from}
          onChange={(event) => type({ ...typed, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          size="xs"
          label="Last day"
          max={today}
          value={typed.to}
          onChange={(event) => type({ ...typed, to: event.currentTarget.value })}
        />
      </Group>
      <Text size="xs" role={problem === null ? undefined : 'alert'} c={problem === null ? undefined : 'red'}>
        {problem ?? 'Days are in UTC.'}
      </Text>
    </Stack>
  );
}

function labelOf(days: number, grain: Props['grain']): string {
  if (days === 1) return grain === 'day' ? 'Today' : '24 h';
  return `${days} d`;
}
