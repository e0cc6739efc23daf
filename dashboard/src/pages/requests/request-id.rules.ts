const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
/** The gateway generates UUIDs of version 7, which start with the time. */
const OWN = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iu;
/** The retention of rejected requests outside the sample. */
const REJECTIONS_DAYS = 7;
const DAY_MS = 86_400_000;
/** Tolerates clock differences. */
const AHEAD_MS = 60_000;

/** Extracts the request ID from pasted text, such as `"request_id": "0198…"` or a header line. */
export function requestIdIn(text: string): string | null {
  const found = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/iu.exec(text);
  return found === null ? null : found[0].toLowerCase();
}

/** The reason for a missing record, as far as the ID itself shows it. */
export type Missing =
  { readonly why: 'notAnId' | 'foreign' } | { readonly why: 'ahead' | 'old' | 'recent'; readonly at: string };

export function whyMissing(id: string, nowMs = Date.now()): Missing {
  if (!UUID.test(id)) return { why: 'notAnId' };
  if (!OWN.test(id)) return { why: 'foreign' };
  const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return { why: 'foreign' };
  const at = date.toISOString();
  if (ms > nowMs + AHEAD_MS) return { why: 'ahead', at };
  return { why: nowMs - ms > REJECTIONS_DAYS * DAY_MS ? 'old' : 'recent', at };
}
