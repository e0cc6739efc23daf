import { Injectable } from '@nestjs/common';
import { newestKeys } from '../../audit/lost-changes/audit-tail.js';
import { policyOf, targetOf, type LostChange, type LostChangeDecision } from '../../audit/lost-changes/lost-change.js';
import { LostChangeStore } from '../../audit/lost-changes/lost-change.store.js';
import { LostChanges } from '../../audit/lost-changes/lost-changes.service.js';
import { KeysService } from '../../keys/keys.service.js';
import { PolicyService } from '../../model-policy/policy.service.js';
import { validationError } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { DecisionRecords } from './decision-records.service.js';

const NOTE = 'Applied again, because the database had lost it';

/** Decides about changes that the database has lost. Unknown and decided changes are left out. */
@Injectable()
export class LostChangeDecisions {
  constructor(
    private readonly lost: LostChanges,
    private readonly store: LostChangeStore,
    private readonly keys: KeysService,
    private readonly policies: PolicyService,
    private readonly records: DecisionRecords,
  ) {}

  /**
   * Makes the changes again that the gateway remembers completely: states of keys, and policies of models. A key or model that has
   * changed since stays as it is.
   * @param ids null for all changes that can be applied
   * @throws GatewayError `validation_error` if one of `ids` cannot be applied
   */
  async apply(ids: readonly string[] | null, actor: AdminActor): Promise<LostChange[]> {
    const changes = (await this.store.undecided()).filter(({ id }) => ids === null || ids.includes(id));
    const targets = new Set(changes.filter(({ remembered }) => remembered !== null).map(targetOf));
    const applicable = changes.filter((change) => targets.has(targetOf(change)));
    const other = changes.find((change) => !targets.has(targetOf(change)));
    if (ids !== null && other !== undefined)
      throw validationError(
        'ids',
        `Invalid value for 'ids': the gateway does not remember what '${other.action}' changed (${other.id}). Apply a later change of the same key, or make it again and discard this one.`,
      );
    for (const [id, key] of newestKeys(applicable)) await this.keys.restore(id, key, actor);
    for (const change of applicable) await this.applyPolicy(change, actor);
    return this.decide(applicable, 'applied', actor);
  }

  /** Keeps the state of the database. @param ids null for all */
  async discard(ids: readonly string[] | null, actor: AdminActor): Promise<LostChange[]> {
    const changes = (await this.store.undecided()).filter(({ id }) => ids === null || ids.includes(id));
    return this.decide(changes, 'discarded', actor);
  }

  /** The changes are in the order in which they were made. */
  private async applyPolicy(change: LostChange, actor: AdminActor): Promise<void> {
    const policy = policyOf(change);
    if (policy === null || change.targetId === null) return;
    const row = await this.policies.find(change.targetId);
    const isNewer = row !== null && row.updatedAt.getTime() > Date.parse(change.at) && row.note !== NOTE;
    if (!isNewer) await this.policies.set(change.targetId, policy.enabled, NOTE, actor);
  }

  private async decide(changes: readonly LostChange[], decision: LostChangeDecision, actor: AdminActor) {
    const decided = await this.records.decide(
      changes.map(({ id }) => id),
      decision,
      actor,
    );
    await this.lost.refresh();
    return decided;
  }
}
