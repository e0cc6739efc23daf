/** Formats Unix seconds as Anthropic does, for example `2025-01-01T00:00:00Z`. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000', '');
}
