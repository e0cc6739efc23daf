/**
 * `connecting`: before the first contact, migrations included. `away`: it was there, and is not now, or takes no writes, as
 * one that was a primary before a failover; such a one can still be read (D22).
 */
export type DatabaseState = 'connecting' | 'ready' | 'away';

export function databaseState(known: {
  readonly started: boolean;
  readonly reachable: boolean;
  readonly readOnly: boolean;
}): DatabaseState {
  if (!known.started) return 'connecting';
  return known.reachable && !known.readOnly ? 'ready' : 'away';
}
