import type { Config } from '../../config/config.js';

/**
 * Whether an admission waits until the database has it on its disk (D13): with GW_QUOTA_DURABILITY `strict` it does; `relaxed`
 * may forget the last moments where server and gateway crash together.
 * @returns PostgreSQL's `synchronous_commit`
 */
export const synchronousCommit = (durability: Config['quotaDurability']): 'on' | 'off' =>
  durability === 'strict' ? 'on' : 'off';
