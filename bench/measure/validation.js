import { join } from 'node:path';
import { end, firstMessage, forkOn, SUBJECT_CORE } from '../system/processes.js';

export async function measureValidation() {
  const child = forkOn(SUBJECT_CORE, join(import.meta.dirname, '../micro/validation.js'), []);
  try {
    return { rows: await firstMessage(child) };
  } finally {
    await end(child);
  }
}
