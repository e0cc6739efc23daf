import { useState } from 'react';
import { showDone } from '../../parts/toasts';
import { changeKey, readKey } from './key-calls';
import { useRefresh } from './key-queries';
import type { ApiKey } from './key-types';
import { changedFields, changesOf, valuesOf, type KeyField, type KeyValues } from './key-values.rules';
import { useKeyForm } from './use-key-form';

interface Conflict {
  readonly current: ApiKey;
  readonly fields: readonly KeyField[];
}

/** Sends only the changed fields. If someone else changed one of them after the form opened, both values are shown first. */
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
      showDone(`Key “${values.name}” saved.`);
      refresh();
    }
    onDone();
  }

  /** @param take whether the other operator's values replace the input */
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
