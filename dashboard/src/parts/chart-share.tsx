interface Props {
  /** Clamped to 0 to 1. */
  readonly share: number;
  readonly color?: string;
  /** In pixels. The default is the full width. */
  readonly width?: number;
}

/** Draws a bar next to a number with the same value. It is therefore hidden from screen readers. */
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
