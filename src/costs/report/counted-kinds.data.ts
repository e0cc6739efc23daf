import { USAGE_KIND_NAMES, USAGE_KINDS, type UsageKind } from '../usage-kinds.data.js';

/** Kinds that no response reports, and one that every request would count. */
const NOT_COUNTED: ReadonlySet<UsageKind> = new Set([
  ...(['citations', 'cached_image_input', 'video_input', 'video_output'] as const),
  ...(['document_pages', 'annotated_pages', 'text_messages', 'requests'] as const),
]);

/** The kinds that `cost_daily` has a column for. */
export const COUNTED_KINDS: readonly UsageKind[] = USAGE_KIND_NAMES.filter((kind) => !NOT_COUNTED.has(kind));

/** `reasoning` is part of `output`. */
export const TOKEN_KINDS: readonly UsageKind[] = COUNTED_KINDS.filter((kind) => USAGE_KINDS[kind].token);
export const UNIT_KINDS: readonly UsageKind[] = COUNTED_KINDS.filter((kind) => !USAGE_KINDS[kind].token);
