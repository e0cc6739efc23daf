import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog, fieldChanges } from '../../audit/audit-log.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { invalidInput, notFound, validationError } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { UUID } from '../../platform/validation/characters.js';
import { type CountedTeam, type TeamListQuery, TeamStore, type TeamValues } from './stores/team.store.js';
import { distinctTags } from './tag.rules.js';

export type { CountedTeam, TeamListQuery } from './stores/team.store.js';

/**
 * Reads and changes teams, which own keys. A change and its audit row are one transaction. Tags determine which limits apply,
 * so every process uses new tags from the next request on. Methods that take an ID throw `not_found` if it is unknown.
 */
@Injectable()
export class TeamsService {
  constructor(
    private readonly store: TeamStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  list(query: TeamListQuery): Promise<{ total: number; teams: CountedTeam[] }> {
    return this.store.list(query);
  }

  async get(id: string): Promise<CountedTeam> {
    return orNotFound(await this.store.find(id));
  }

  /** @param text an ID, or a name in any letter case */
  async find(text: string): Promise<CountedTeam | null> {
    const byId = UUID.test(text) ? await this.store.find(text) : null;
    return byId ?? this.store.findByName(text);
  }

  /** Omits unknown IDs. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.store.namesOf(ids);
  }

  /** Keeps a team from being deleted until the transaction ends. Returns false if no team has the ID. */
  keep(transaction: Transaction, id: string): Promise<boolean> {
    return this.store.keep(transaction, id);
  }

  /** @throws GatewayError `validation_error`, param `name`, if another team has the name */
  create({ name, tags }: TeamValues, actor: AdminActor): Promise<CountedTeam> {
    const id = randomUUID();
    const values = { name, tags: distinctTags(tags) };
    return this.transactions.run(async (transaction) => {
      await this.checkName(transaction, name, null);
      await this.writeAudit(transaction, actor, {
        action: 'team.created',
        id,
        changes: fieldChanges(FIELDS, null, values),
      });
      return this.store.insert(transaction, { id, ...values });
    });
  }

  /**
   * Writes nothing if no value differs.
   * @param changes undefined fields are not changed
   * @throws GatewayError `validation_error`, param `name`, if another team has the name
   */
  update(id: string, changes: Partial<TeamValues>, actor: AdminActor): Promise<CountedTeam> {
    return this.transactions.run(async (transaction) => {
      if (changes.name !== undefined) await this.checkName(transaction, changes.name, id);
      const team = orNotFound(await this.store.lock(transaction, id));
      const values = { name: changes.name ?? team.name, tags: distinctTags(changes.tags ?? team.tags) };
      const differing = fieldChanges(FIELDS, team, values);
      if (Object.keys(differing).length === 0) return team;
      await this.writeAudit(transaction, actor, { action: 'team.updated', id, changes: differing });
      return this.store.update(transaction, team, values);
    });
  }

  /**
   * Deletes a team and its limits.
   * @throws GatewayError `validation_error`, param `id`, while keys belong to the team
   */
  delete(id: string, actor: AdminActor): Promise<void> {
    return this.transactions.run(async (transaction) => {
      const team = orNotFound(await this.store.lockToDelete(transaction, id));
      if (team.keys > 0) throw hasKeys(team.keys);
      const limitIds = await this.store.limitsOf(transaction, id);
      for (const limitId of limitIds)
        await this.audit.write(transaction, {
          action: 'limit.deleted',
          actor,
          targetType: 'limit',
          targetId: String(limitId),
          metadata: { deleted_with_team: id },
        });
      await this.writeAudit(transaction, actor, {
        action: 'team.deleted',
        id,
        changes: fieldChanges(FIELDS, team, null),
      });
      await this.store.delete(transaction, id, limitIds);
    });
  }

  private async checkName(transaction: Transaction, name: string, exceptId: string | null): Promise<void> {
    await this.store.lockNames(transaction);
    if (await this.store.isNameTaken(transaction, name, exceptId))
      throw invalidInput('name', 'a name that no other team has, regardless of letter case');
  }

  private writeAudit(transaction: Transaction, actor: AdminActor, { action, id, changes }: TeamChange): Promise<void> {
    return this.audit.write(transaction, { action, actor, targetType: 'team', targetId: id, metadata: { changes } });
  }
}

interface TeamChange {
  readonly action: 'team.created' | 'team.updated' | 'team.deleted';
  readonly id: string;
  readonly changes: ReturnType<typeof fieldChanges>;
}

const FIELDS = { name: 'name', tags: 'tags' } as const;

function orNotFound(team: CountedTeam | null): CountedTeam {
  if (team === null) throw notFound('Team not found');
  return team;
}

const hasKeys = (keys: number) =>
  validationError(
    'id',
    `The team cannot be deleted, because ${keys} API ${keys === 1 ? 'key belongs' : 'keys belong'} to it. ` +
      `Move the keys first: change their 'team_id'.`,
  );
