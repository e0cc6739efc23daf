import { useState } from 'react';
import { showDone } from '../../parts/toasts';
import { changeKey, readKey } from './key-calls';
import { useRefresh } from './key-queries';
import type { ApiKey } from './key-types';
import { changedFields, changesOf, valuesOf, type KeyField, type KeyValues } from './key-values.rules';
import { useKeyForm } from './use-key-form';

/** Fields that were changed both here and elsewhere. */
interface Conflict {
  readonly current: ApiKey;
  readonly fields: readonly KeyField[];
}

/**
 * Sends what was changed here and nothing else. A field that somebody else has changed since the form was opened is not
 * overwritten unseen: both values are shown first.
 */
export function useKeyEdit(key: ApiKey, onDone: () => void) {
  const [base, setBase] = useState(() => valuesOf(key));
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const refresh = useRefresh();
  const { form, ...sending } = useKeyForm(base, save);

  async function save(values: KeyValues): Promise<void> {
    const current = await readKey(key.id);
    const elsewhere = changedFields(valuesOf(current), base);
    const fields = changedFields(values, base);
    const clashing = fields.filter((field) => elsewhere.includes(field));
    if (clashing.length > 0) {
      setConflict({ current, fields: clashing });
      return;
    }
    if (fields.length > 0) {
      await changeKey(key.id, changesOf(values, fields));
      showDone(`“${values.name}” is saved.`);
      refresh();
    }
    onDone();
  }

  /** From here on what the others wrote is known; `take` says whether it replaces what was entered here. */
  function settle(take: boolean): void {
    if (conflict === null) return;
    const current = valuesOf(conflict.current);
    const theirs = Object.fromEntries(conflict.fields.map((field) => [field, current[field]]));
    if (take) form.setValues(theirs);
    setBase({ ...base, ...theirs });
    setConflict(null);
  }

  return { form, ...sending, changed: changedFields(form.values, base).length, conflict, settle };
}
