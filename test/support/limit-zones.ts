/**
 * Returns a zone in which it is about noon, so that a test never runs at the edge of a day. PostgreSQL and Node know these
 * names.
 */
export function noonZone(nowMs = Date.now()): string {
  const hours = 12 - new Date(nowMs).getUTCHours();
  // The sign of these names is inverted.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}
