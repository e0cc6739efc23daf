import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../database/transactions.js';
import { notFound, serviceUnavailable } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { Admission } from '../quota/admission.service.js';
import type { AdminActor } from '../request-context/caller-session.js';
import { KeyCache } from './key-cache.js';
import { keyChanges } from './key-audit-fields.js';
import { KeyTrail } from './key-trail.js';
import { KEY_TRANSITIONS, statusAfter, type StatusTransition } from './key-transition.rules.js';
import type { ApiKey } from './stores/api-key.entity.js';
import { ApiKeyStore } from './stores/api-key.store.js';

/** The admission of all of them waits while the last statement runs and is committed: some milliseconds. */
const KEYS_PER_TRANSACTION = 50;

/** In the order in which the ids were given; each id once. */
export interface BulkOutcome {
  readonly succeeded: readonly ApiKey[];
  readonly failed: readonly { readonly id: string; readonly error: GatewayError }[];
}

type Outcome = ApiKey | GatewayError;

/** The same change of many keys. Each key succeeds or fails for itself, as its single call would. */
@Injectable()
export class BulkTransitions {
  private readonly logger = new Logger(BulkTransitions.name);

  constructor(
    private readonly store: ApiKeyStore,
    private readonly transactions: Transactions,
    private readonly trail: KeyTrail,
    private readonly cache: KeyCache,
    private readonly admission: Admission,
  ) {}

  /**
   * Fifty keys a transaction, in the order given. Resolves after the last commit, when each new state holds on every
   * instance (D3). Where the database goes away in the middle, what was committed is told, the rest is
   * `service_unavailable`.
   * @param ids at most 500 UUIDs; one that is there twice, in any case, counts once
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
        this.logger.warn(`A bulk call ended after ${outcomes.size} of ${stored.length} keys: ${String(error)}`);
        for (const id of stored.slice(outcomes.size)) outcomes.set(id, serviceUnavailable(error));
      }
    }
    await this.admission.raise(
      [...outcomes.values()].flatMap((outcome) => (outcome instanceof Error ? [] : [outcome.id])),
    );
    return inOrderOf(given, outcomes);
  }

  /** All of them or none. */
  private async changeTogether(
    transition: StatusTransition,
    ids: readonly string[],
    actor: AdminActor,
  ): Promise<Map<string, Outcome>> {
    const { action, refusal } = KEY_TRANSITIONS[transition];
    const outcomes = new Map<string, Outcome>(ids.map((id) => [id, notFound(refusal)]));
    const changed = await this.transactions.run(async (transaction) => {
      const changes = (await this.store.lockAll(transaction, ids)).flatMap((key) => {
        const status = statusAfter(transition, key.status);
        return status === null ? [] : [{ key, status }];
      });
      const deeds = changes.map(({ key, status }) => {
        return { action, actor, key: { ...key, status }, metadata: { changes: keyChanges(key, { status }) } };
      });
      await this.trail.writeAll(transaction, deeds);
      return this.store.updateStatuses(transaction, changes);
    });
    for (const key of changed) {
      outcomes.set(key.id, key);
      this.cache.invalidate(key.id);
    }
    return outcomes;
  }
}

/** Ids as they were first written, by how they are stored. */
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
