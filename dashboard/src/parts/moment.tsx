import { Text, Tooltip } from '@mantine/core';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

interface Props {
  readonly at: string | null | undefined;
  readonly never?: string;
  /** Shows `3 hours ago` instead of the date. */
  readonly ago?: boolean;
}

export function Moment({ at, never = '–', ago = false }: Props) {
  if (at === null || at === undefined)
    return (
      <Text span inherit c="dimmed">
        {never}
      </Text>
    );
  const date = new Date(at);
  return (
    <Tooltip
      label={ago ? `${local.format(date)} · ${utcOf(date)}` : utcOf(date)}
      events={{ hover: true, focus: true, touch: true }}
    >
      <time dateTime={at} tabIndex={0}>
        {ago ? agoOf(date) : local.format(date)}
      </time>
    </Tooltip>
  );
}

const utcOf = (date: Date): string => `${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`;

/** Uses fixed unit lengths, not the calendar: 30 days are `1 month`. */
function agoOf(date: Date): string {
  const seconds = Math.round((date.getTime() - Date.now()) / 1000);
  if (seconds === 0) return 'now';
  const [unit, length] = UNITS.find((one) => Math.abs(seconds) >= one[1]) ?? UNITS.at(-1)!;
  return relative.format(Math.round(seconds / length), unit);
}
