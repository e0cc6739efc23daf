import { useState } from 'react';
import type { ApiKey } from './key-types';

/** Selects only among the visible rows, so that actions never affect hidden ones. */
export function useSelection(rows: readonly ApiKey[] | undefined) {
  const [ids, change] = useState<ReadonlySet<string>>(new Set());
  return { ids, change, selected: (rows ?? []).filter(({ id }) => ids.has(id)) };
}
