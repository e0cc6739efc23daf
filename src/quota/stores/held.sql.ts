import type { StatementText } from './statement.js';

/** $1 keys. Those whose row somebody holds at this moment; waits for none. */
export const HELD: StatementText = {
  name: 'quota-held',
  text: `
with free as materialized (
  select key_id from key_quota where key_id = any($1::uuid[]) order by key_id for no key update skip locked
)
select key_id from key_quota q where key_id = any($1::uuid[]) and not exists (select from free f where f.key_id = q.key_id)`,
};
