import { useState } from 'react';
import type { ApiKey } from './key-types';

/** Which of the rows in view are selected. What is not in view is not acted upon. */
export function useSelection(rows: readonly ApiKey[] | undefined) {
  const [ids, change] = useState<ReadonlySet<string>>(new Set());
  return { ids, change, selected: (rows ?? []).filter(({ id }) => ids.has(id)) };
}
