import { useState, type PointerEvent } from 'react';
import { chartSummary, type ChartPoint } from './chart-series';
import { count } from './numbers';

interface Props {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly name: string;
  readonly color: string;
  readonly format?: (value: number) => string;
  readonly additive?: boolean;
  /** Receives the point under the pointer, or null. */
  readonly onPoint?: (point: ChartPoint | null) => void;
}

const HEIGHT = 40;
const STEP = 10;
const GAP = 2;

/** Draws small bars without axes. The chart library would double the size of the first page. */
export function ChartSpark({ title, points, name, color, format = count, additive, onPoint }: Props) {
  const [over, setOver] = useState<number | null>(null);
  const values = points.map((point) => point.values[name] ?? 0);
  const highest = Math.max(1, ...values);
  const width = Math.max(1, points.length) * STEP;

  function point(at: number | null): void {
    setOver(at);
    onPoint?.(at === null ? null : (points[at] ?? null));
  }
  function moved({ currentTarget, clientX }: PointerEvent): void {
    const box = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - box.left) / box.width) * points.length);
    point(at >= 0 && at < points.length ? at : null);
  }

  return (
    <svg
      role="img"
      aria-label={chartSummary(title, points, [{ name, label: title, color, additive }], format)}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      width="100%"
      height={HEIGHT}
      fill={color}
      onPointerMove={moved}
      onPointerLeave={() => point(null)}
    >
      {values.map((value, index) => {
        // Any value above 0 stays visible; 0 is a thin line.
        const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
        return (
          <rect
            key={index}
            x={index * STEP + GAP / 2}
            y={HEIGHT - height}
            width={STEP - GAP}
            height={height}
            opacity={value === 0 ? 0.4 : over === null || over === index ? 1 : 0.5}
          />
        );
      })}
    </svg>
  );
}
