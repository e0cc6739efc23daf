import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from '../../redis/redis.service.js';
import type { StoredCounts } from '../stored-counts.js';
import type { AdmitEntry } from './quota-store.js';
import { REDIS_ADMIT } from './redis-admit.lua.js';
import type { StoredRow } from './redis-record.js';

/** What the script answers, as redis-admit.lua.ts says. */
export type ScriptAnswer =
  | { readonly kind: 'ok'; readonly granted: number; readonly counts: StoredCounts }
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'cold' }
  | { readonly kind: 'epoch'; readonly epoch: number };

type Answer = readonly [string, ...number[]];

const NO_LIMITS = ['', '', '', ''];

/** The calls of the script, for this process as a writer of its own. */
export class RedisScript {
  private readonly writer = randomUUID();
  private readonly sha: string;

  /** @param text another one in tests, whose clock they set */
  constructor(
    private readonly redis: Redis,
    private readonly text = REDIS_ADMIT,
  ) {
    this.sha = createHash('sha1').update(text).digest('hex');
  }

  /** Counts, where there is room. @param row of the database, where the hash was found cold */
  async admit(entry: AdmitEntry, epoch: number, batch: number, row?: StoredRow): Promise<ScriptAnswer> {
    const limits = [entry.rpmLimit, entry.rpdLimit, entry.monthlyLimit, entry.monthlyTokenLimit].map(limitOf);
    const asked = [String(epoch), String(entry.version), String(entry.count), ...limits, String(batch)];
    return answerOf(await this.call(entry.keyId, [...asked, ...columnsOf(row)]));
  }

  async look(keyId: string, epoch: number, row?: StoredRow): Promise<ScriptAnswer> {
    return answerOf(await this.call(keyId, [String(epoch), '', '0', ...NO_LIMITS, '0', ...columnsOf(row)]));
  }

  /** What the database holds, told to a hash: its version, its resets, and counts that are higher there. */
  async tell(keyId: string, row: StoredRow): Promise<void> {
    await this.call(keyId, ['', '', '0', ...NO_LIMITS, '0', ...columnsOf(row)]);
  }

  /** What the batch was granted is not counted, whether it was or will be. */
  async takeBack(keyId: string, batch: number): Promise<void> {
    await this.call(keyId, ['', '', '-1', ...NO_LIMITS, String(batch)]);
  }

  /** It is cold from then on. */
  async forget(keyId: string): Promise<void> {
    await this.redis.send(['DEL', hashOf(keyId)]);
  }

  private async call(keyId: string, args: readonly string[]): Promise<Answer> {
    const rest = ['2', hashOf(keyId), `gw:{${keyId}}:asked:${this.writer}`, ...args];
    try {
      return await this.redis.send<Answer>(['EVALSHA', this.sha, ...rest]);
    } catch (error) {
      // Not run yet on this server, or forgotten since.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return await this.redis.send<Answer>(['EVAL', this.text, ...rest]);
    }
  }
}

const hashOf = (keyId: string): string => `gw:{${keyId}}:quota`;
const limitOf = (limit: number | null): string => (limit === null ? '' : String(limit));

function columnsOf(row: StoredRow | undefined): string[] {
  if (row === undefined) return [];
  const counts = [row.minute, row.minuteUsed, row.day, row.dayUsed, row.month, row.monthUsed];
  const resets = [row.minuteResetAt, row.dayResetAt, row.monthResetAt];
  return [row.version, ...counts, row.tokensMonth, row.tokens, ...resets].map(String);
}

function answerOf([kind, first = 0, granted = 0, nowMs = 0, ...figures]: Answer): ScriptAnswer {
  const [minute = 0, minuteUsed = 0, day = 0, dayUsed = 0, month = 0, monthUsed = 0, tokens = 0] = figures;
  switch (kind) {
    case 'ok':
      return {
        kind,
        granted,
        counts: { version: first, nowMs, minute, minuteUsed, day, dayUsed, month, monthUsed, tokens },
      };
    case 'stale':
      return { kind, version: first };
    case 'cold':
      return { kind };
    case 'epoch':
      return { kind, epoch: first };
    default:
      throw new Error(`The script answered ${kind}`);
  }
}
