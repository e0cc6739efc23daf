import type { KeyStatus } from './key-state.rules.js';

export type KeySortField = 'name' | 'created_at' | 'updated_at' | 'last_used_at';

/** Which keys, in which order. null: no such filter. */
export interface KeyListQuery {
  readonly status: KeyStatus | null;
  /** Looked for in name and id, whatever the case; `%`, `_` and `\` stand for themselves. */
  readonly name: string | null;
  /** true: those whose time has come, whatever their status; false: the others. */
  readonly expired: boolean | null;
  /** Bounds of the creation, inclusive, milliseconds since 1970. */
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly sortBy: KeySortField;
  readonly sortDir: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}
