/** What can change under the feet of a process: a key, the model policy, the stored catalog. */
export type ChangeTopic = 'key' | 'policy' | 'catalog';

/**
 * `id` names the row (key id, model id); null: notices may have been missed, so anything of the topic may have changed.
 * `changedAtMs`, by the database's clock, milliseconds since 1970: where the poll has found a changed key.
 */
export type ChangeListener = (id: string | null, changedAtMs?: number) => void;

/**
 * Tells the caches of this process what any process has changed. Fresh, not exact: whoever decides by a cached key
 * asks admission for its version. Notices come from triggers (`gw_key`, `gw_policy`, `gw_catalog`), within milliseconds;
 * a poll each 400 ms backs them up.
 */
export abstract class Changes {
  /** Listeners are called in order, must not throw, and stay for the life of the process. */
  abstract subscribe(topic: ChangeTopic, listener: ChangeListener): void;

  /** Something was changed by this process, and it is committed. The triggers tell of it too: without fail and without promise. */
  announce(topic: ChangeTopic, id?: string): void {
    void [topic, id];
  }
}
