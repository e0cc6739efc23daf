/* Of one address, at one process; `ttl` in milliseconds. */

/** A thousand a second for a minute: more than any script of an administrator makes, less than what a process answers. */
export const CALLS = { name: 'calls', ttl: 60_000, limit: 60_000 };
/**
 * Each looks at a password, which is dear on purpose. No more at once than may stand in line for that, so that one address
 * cannot fill the line.
 */
export const PASSWORDS = { name: 'passwords', ttl: 10_000, limit: 200 };
