import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database/transactions.js';
import { notFound, serviceUnavailable } from '../platform/errors/error-factories.js';
import { Admission } from '../quota/admission.service.js';
import { QuotaReset, type CountedRequests, type ResettableWindow } from '../quota/quota-reset.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import type { KeySnapshot, QuotaFigures } from '../platform/request-context/key-snapshot.js';
import { KeyChangeRecorder } from './key-change-recorder.js';
import { ApiKeyStore } from './stores/api-key.store.js';

const NOT_FOUND = 'API key not found';
const ROUNDS_MAX = 3;

export interface KeyFigures {
  readonly key: KeySnapshot;
  readonly figures: QuotaFigures;
}

/** Reads and resets the counts of a key. Both methods throw `not_found` for an unknown key. */
@Injectable()
export class KeyQuotaService {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly admission: Admission,
    private readonly resets: QuotaReset,
    private readonly transactions: Transactions,
    private readonly recorder: KeyChangeRecorder,
  ) {}

  /** @throws GatewayError `service_unavailable` if the store is unavailable, or the key changes faster than it can be read */
  async read(id: string): Promise<KeyFigures> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const key = await this.store.snapshotById(id);
      if (key === null) throw notFound(NOT_FOUND);
      const current = await this.admission.readKey(key);
      // With another version, the limits would not match the counts.
      if (current?.version === key.version) return { key, figures: current.figures };
    }
    throw serviceUnavailable(new Error('The key changed repeatedly while its quota was read'));
  }

  /** Resets request counts, but not tokens, in any status of the key. Resolves when every instance counts from zero (D3). */
  async reset(id: string, window: ResettableWindow, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const key = await this.store.lock(transaction, id);
      const counted = key && (await this.resets.counted(transaction, id));
      if (key === null || counted === null) throw notFound(NOT_FOUND);
      const metadata = { window, changes: erasedBy(window, counted) };
      await this.recorder.record(transaction, { action: 'api_key.quota_reset', actor, key, metadata });
      await this.resets.reset(transaction, id, window);
    });
  }
}

type Erased = Partial<Record<keyof CountedRequests, { old: number; new: 0 }>>;

function erasedBy(window: ResettableWindow, { minute, day, month }: CountedRequests): Erased {
  const erased: Erased = { minute: { old: minute, new: 0 }, day: { old: day, new: 0 }, month: { old: month, new: 0 } };
  return window === 'all' ? erased : { [window]: erased[window] };
}
