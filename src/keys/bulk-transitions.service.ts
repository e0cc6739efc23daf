import { Injectable, Logger } from '@nestjs/common';
import { OutcomeUnknown, Transactions } from '../platform/database/transactions.js';
import { notFound, outcomeUnknown, serviceUnavailable } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import { KeyCache } from './key-cache.js';
import { keyChanges, KeyChangeRecorder } from './key-change-recorder.js';
import { KEY_TRANSITIONS, statusAfter, type StatusTransition } from './key-state.rules.js';
import type { ApiKey } from './stores/api-key.entity.js';
import { ApiKeyStore } from './stores/api-key.store.js';

/** Admission of all these keys waits for the last statement and the commit, which take a few milliseconds. */
const KEYS_PER_TRANSACTION = 50;

/** Both lists contain each ID once, in the given order. */
export interface BulkOutcome {
  readonly succeeded: readonly ApiKey[];
  readonly failed: readonly { readonly id: string; readonly error: GatewayError }[];
}

type Outcome = ApiKey | GatewayError;

/** Changes many keys. Each key succeeds or fails as it would in a separate request. */
@Injectable()
export class BulkTransitions {
  private readonly logger = new Logger(BulkTransitions.name);

  constructor(
    private readonly store: ApiKeyStore,
    private readonly transactions: Transactions,
    private readonly recorder: KeyChangeRecorder,
    private readonly cache: KeyCache,
  ) {}

  /**
   * Changes 50 keys per transaction, in the given order. Resolves when each new state holds on every instance (D3). If the
   * database becomes unavailable, committed keys succeed and the others fail with `service_unavailable`, or with `outcome_unknown` if
   * their commit was not confirmed.
   * @param ids at most 500 UUIDs; repeated IDs count once, ignoring case
   * @throws the error of the first transaction, if nothing was committed
   */
  async change(transition: StatusTransition, ids: readonly string[], actor: AdminActor): Promise<BulkOutcome> {
    const given = byStoredForm(ids);
    const stored = [...given.keys()];
    const outcomes = new Map<string, Outcome>();
    while (outcomes.size < stored.length) {
      const next = stored.slice(outcomes.size, outcomes.size + KEYS_PER_TRANSACTION);
      try {
        for (const [id, outcome] of await this.changeTogether(transition, next, actor)) outcomes.set(id, outcome);
      } catch (error) {
        if (outcomes.size === 0) throw error;
        this.logger.warn(`A bulk request failed after ${outcomes.size} of ${stored.length} keys: ${String(error)}`);
        if (error instanceof OutcomeUnknown) for (const id of next) outcomes.set(id, outcomeUnknown(error));
        for (const id of stored.slice(outcomes.size)) outcomes.set(id, serviceUnavailable(error));
      }
    }
    return inOrderOf(given, outcomes);
  }

  private async changeTogether(
    transition: StatusTransition,
    ids: readonly string[],
    actor: AdminActor,
  ): Promise<Map<string, Outcome>> {
    const { action, notFoundMessage } = KEY_TRANSITIONS[transition];
    const outcomes = new Map<string, Outcome>(ids.map((id) => [id, notFound(notFoundMessage)]));
    const changed = await this.transactions.run(async (transaction) => {
      const changes = (await this.store.lockAll(transaction, ids)).flatMap((key) => {
        const status = statusAfter(transition, key.status);
        return status === null ? [] : [{ key, status }];
      });
      const records = changes.map(({ key, status }) => {
        return { action, actor, key: { ...key, status }, metadata: { changes: keyChanges(key, { status }) } };
      });
      await this.recorder.record(transaction, ...records);
      return this.store.updateStatuses(transaction, changes);
    });
    for (const key of changed) outcomes.set(key.id, key);
    this.cache.keysChanged(changed.map(({ id }) => id));
    return outcomes;
  }
}

/** IDs are stored in lower case. */
function byStoredForm(ids: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  for (const id of ids) if (!given.has(id.toLowerCase())) given.set(id.toLowerCase(), id);
  return given;
}

function inOrderOf(given: ReadonlyMap<string, string>, outcomes: ReadonlyMap<string, Outcome>): BulkOutcome {
  const succeeded: ApiKey[] = [];
  const failed: { id: string; error: GatewayError }[] = [];
  for (const [stored, id] of given) {
    const outcome = outcomes.get(stored)!;
    if (outcome instanceof Error) failed.push({ id, error: outcome });
    else succeeded.push(outcome);
  }
  return { succeeded, failed };
}
