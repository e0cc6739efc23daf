import type { StatementText } from './statement.js';

/** $1 keys. Those whose row nobody holds at this moment; asked after a lock time limit only. */
export const UNLOCKED: StatementText = {
  name: 'quota-unlocked',
  text: 'select key_id from key_quota where key_id = any($1::uuid[]) order by key_id for no key update skip locked',
};
