import { Redis } from '../../redis/redis.service.js';
import type { StoredCounts } from '../stored-counts.js';
import type { AdmitAnswer, AdmitEntry } from './quota-store.js';
import type { RedisRecord, StoredRow } from './redis-record.js';
import type { RedisScript, ScriptAnswer } from './redis-script.js';

/** Asked, with a row of the database, with a newer one where it was older than the hash, and once more without the hash. */
const ROUNDS_MAX = 4;

/** The database did not give what a cold hash needs: no fault of Redis. */
export class RecordAway extends Error {}

/** What a call goes by, as long as its connection lasts. */
interface Session {
  readonly generation: number;
  epoch: number;
}

type Ask<E> = (entry: E, epoch: number, row?: StoredRow) => Promise<ScriptAnswer>;

/**
 * The counters in Redis, made good from the record wherever they may have forgotten something. All calls throw what goes
 * wrong, and end by `endsAtMs` (of `performance.now()`) at the latest, or a moment later where this process stood still.
 */
export class RedisCounters {
  /** What Redis may have granted and nobody was served by: the last batch of each key. */
  private readonly unserved = new Map<string, number>();
  private session: Session | null = null;
  private beginning: Promise<Session> | null = null;
  private batch = 0;

  constructor(
    private readonly redis: Redis,
    private readonly script: RedisScript,
    private readonly record: RedisRecord,
  ) {}

  /** Whatever Redis holds is compared with the record before it is believed again. */
  distrust(): void {
    this.session = null;
  }

  /** Where it fails, nothing of it stays counted: what Redis had granted is taken back before the next call. */
  async admit(entries: readonly AdmitEntry[], endsAtMs: number): Promise<ReadonlyMap<string, AdmitAnswer>> {
    const session = await this.begin(endsAtMs);
    const batches = new Map<string, number>();
    const ask: Ask<AdmitEntry> = (entry, epoch, row) => {
      batches.set(entry.keyId, (this.batch += 1));
      return this.script.admit(entry, epoch, this.batch, row);
    };
    try {
      return await this.askAll(session, entries, ask, endsAtMs);
    } catch (error) {
      for (const [keyId, batch] of batches) this.unserved.set(keyId, batch);
      throw error;
    }
  }

  async look(keyIds: readonly string[], endsAtMs: number): Promise<ReadonlyMap<string, StoredCounts>> {
    const session = await this.begin(endsAtMs);
    const entries = keyIds.map((keyId) => ({ keyId }));
    const answers = await this.askAll(session, entries, ({ keyId }, ...by) => this.script.look(keyId, ...by), endsAtMs);
    const found = new Map<string, StoredCounts>();
    for (const [keyId, answer] of answers) if (answer.kind === 'decided') found.set(keyId, answer.counts);
    return found;
  }

  /** Rows of the record that are ahead of what was seen: a change, a reset, counts that came by another way. */
  async tell(rows: ReadonlyMap<string, StoredRow>, endsAtMs: number): Promise<void> {
    await this.ofRedis(endsAtMs, () => Promise.all([...rows].map(([keyId, row]) => this.script.tell(keyId, row))));
  }

  private async askAll<E extends { readonly keyId: string }>(
    session: Session,
    entries: readonly E[],
    ask: Ask<E>,
    endsAtMs: number,
  ): Promise<ReadonlyMap<string, AdmitAnswer>> {
    const answers = new Map<string, AdmitAnswer>();
    let left = entries;
    let rows: ReadonlyMap<string, StoredRow> = new Map();
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const asked = left.map((entry) => () => ask(entry, session.epoch, rows.get(entry.keyId)));
      const told = await this.ofRedis(endsAtMs, () => Promise.all(asked.map((call) => call())));
      const again = left.filter((entry, i) => {
        const answer = told[i]!;
        if (answer.kind === 'epoch') session.epoch = Math.max(session.epoch, answer.epoch);
        const final = finalOf(answer, rows.has(entry.keyId));
        if (final !== null) answers.set(entry.keyId, final);
        return final === null;
      });
      if (again.length === 0) return answers;
      const keyIds = again.map(({ keyId }) => keyId);
      // Twice in a row the database is behind the hash: it is the truth, for it may have failed over.
      if (round === 2) await this.ofRedis(endsAtMs, () => Promise.all(keyIds.map((id) => this.script.forget(id))));
      rows = await ofRecord(endsAtMs, async () => {
        await this.record.flush();
        return this.record.read(keyIds);
      });
      left = again.filter(({ keyId }) => rows.has(keyId));
      for (const keyId of keyIds) if (!rows.has(keyId)) answers.set(keyId, { kind: 'unknown' });
      if (left.length === 0) return answers;
    }
    throw new Error('What Redis holds and what the database holds do not come together');
  }

  /** Of two that begin at once one does. */
  private async begin(endsAtMs: number): Promise<Session> {
    if (this.unserved.size === 0 && this.session?.generation === this.redis.generation) return this.session;
    this.beginning ??= this.beginAnew(endsAtMs).finally(() => (this.beginning = null));
    return this.beginning;
  }

  private async beginAnew(endsAtMs: number): Promise<Session> {
    const { generation } = this.redis;
    const unserved = [...this.unserved];
    await this.ofRedis(endsAtMs, () => Promise.all(unserved.map(([id, batch]) => this.script.takeBack(id, batch))));
    for (const [keyId, batch] of unserved) if (this.unserved.get(keyId) === batch) this.unserved.delete(keyId);
    if (this.session?.generation === generation) return this.session;
    // Whatever answers now, it may have forgotten something: a server started anew, a replica that was behind.
    const epoch = await ofRecord(endsAtMs, async () => {
      await this.record.flush();
      return this.record.raiseEpoch();
    });
    return (this.session = { generation, epoch });
  }

  private ofRedis<T>(endsAtMs: number, work: () => Promise<T>): Promise<T> {
    return this.redis.within(Math.max(1, endsAtMs - performance.now()), work);
  }
}

/** Null: to be asked again with the row. A version that is called stale is looked at there too, for that must be right. */
function finalOf(answer: ScriptAnswer, withRow: boolean): AdmitAnswer | null {
  if (answer.kind === 'ok') return { kind: 'decided', granted: answer.granted, counts: answer.counts };
  return answer.kind === 'stale' && withRow ? { kind: 'stale', version: answer.version } : null;
}

/** The general pool has limits of its own, which are longer. What comes late is nobody's. */
async function ofRecord<T>(endsAtMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), Math.max(1, endsAtMs - performance.now()));
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    throw new RecordAway(`The record of the counts: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
