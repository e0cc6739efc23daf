interface Props {
  /** 0 to 1; what is beyond is cut off. */
  readonly share: number;
  /** A CSS colour. */
  readonly color?: string;
  /** Pixels; left out: as wide as there is room. */
  readonly width?: number;
}

/** A bar behind or beside a figure that says the same: screen readers are told the figure only. */
export function ChartShare({ share, color = 'var(--mantine-color-indigo-6)', width }: Props) {
  const part = Math.min(1, Math.max(0, share)) * 100;
  return (
    <svg
      aria-hidden="true"
      width={width ?? '100%'}
      height={6}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      style={{ display: 'block' }}
    >
      <rect width={100} height={6} fill="var(--mantine-color-default-border)" />
      <rect width={part > 0 ? Math.max(part, 1) : 0} height={6} fill={color} />
    </svg>
  );
}
