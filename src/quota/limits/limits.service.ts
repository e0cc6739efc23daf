import { Injectable } from '@nestjs/common';
import { AuditLog, type FieldChanges, fieldChanges } from '../../audit/audit-log.js';
import type { AuditAction } from '../../audit/audit-action.data.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { invalidInput, notFound, validationError } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { LimitSet } from './limit-set.service.js';
import type { Limit, LimitSettings, LimitTerms } from './limit.js';
import { type LimitMeasure, type LimitPeriod, ZONED_PERIODS } from './limit-terms.data.js';
import { shownTerms } from './shown-limit.rules.js';
import { LimitStore } from './stores/limit.store.js';

const ZONE_EXPECTED = 'an IANA time zone name, such as Europe/Berlin';
/** Each process keeps all limits in memory. */
const LIMITS_MAX = 100_000;
/** All limits of the key, its team, each of its tags and the account apply to a request. */
const LIMITS_OF_TARGET_MAX = 50;

/**
 * Changes limits. Each change and its audit row are one transaction, which changes one limit. The change applies to every admission
 * that begins after the commit, on every instance. Methods that take an ID throw `not_found` if it is unknown.
 */
@Injectable()
export class LimitsService {
  constructor(
    private readonly store: LimitStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly set: LimitSet,
  ) {}

  /** The time by which limits begin and end: that of the database. */
  now(): Promise<Date> {
    return this.store.now();
  }

  async get(id: number): Promise<Limit> {
    return limitOrNotFound(await this.store.find(id));
  }

  /** The limit starts from the stored usage of its current period. @throws GatewayError `validation_error` */
  async create(given: LimitTerms, actor: AdminActor): Promise<Limit> {
    const terms = await this.check(given);
    const created = await this.transactions.run(async (transaction) => {
      await this.checkTarget(transaction, terms);
      const id = await this.store.reserveId(transaction);
      await this.writeAudit(transaction, actor, { action: 'limit.created', id, changes: termsChanges(null, terms) });
      return this.store.insert(transaction, id, terms);
    });
    await this.set.refresh();
    return created;
  }

  /** Validates a draft as `create` does, and returns it with the stored spelling of its zone. @throws GatewayError `validation_error` */
  async checkDraft(draft: LimitTerms): Promise<LimitTerms> {
    const terms = await this.check(draft);
    if (!(await this.store.targetExists(terms))) throw unknownTarget(terms);
    return terms;
  }

  /**
   * Writes nothing if no setting differs. A re-enabled limit starts from the stored usage.
   * @param settingsFor undefined settings are unchanged; it gets the limit, because amounts depend on its measure
   * @throws GatewayError `validation_error`
   */
  async update(id: number, settingsFor: (limit: Limit) => Partial<LimitSettings>, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const limit = limitOrNotFound(await this.store.lock(transaction, id));
      const values = { ...limit, ...settingsFor(limit) };
      checkTerms(values);
      const changes = termsChanges(limit, values);
      if (Object.keys(changes).length === 0) return;
      await this.writeAudit(transaction, actor, { action: 'limit.updated', id, changes });
      await this.store.update(transaction, id, values);
    });
    await this.set.refresh();
  }

  async delete(id: number, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const limit = limitOrNotFound(await this.store.lock(transaction, id));
      await this.writeAudit(transaction, actor, { action: 'limit.deleted', id, changes: termsChanges(limit, null) });
      await this.store.delete(transaction, id);
    });
    await this.set.refresh();
  }

  /** Starts a new period now, with nothing used. Running requests are not counted. @throws GatewayError `validation_error` */
  reset(id: number, actor: AdminActor): Promise<void> {
    return this.transactions.run(async (transaction) => {
      const limit = limitOrNotFound(await this.store.lock(transaction, id));
      if (limit.measure === 'concurrent_requests')
        throw validationError(
          'id',
          'A limit on concurrent requests cannot be reset, because it counts running requests. Change its amount.',
        );
      await this.writeAudit(transaction, actor, { action: 'limit.reset', id, changes: {} });
      await this.store.reset(transaction, id);
    });
  }

  private async check(given: LimitTerms): Promise<LimitTerms> {
    const terms = { ...given, zone: await this.zoneNamed(given.zone) };
    checkTerms(terms);
    return terms;
  }

  /**
   * Returns the zone as PostgreSQL spells it. PostgreSQL computes the periods, so an unknown zone would make the admission of all requests
   * fail. Node must support the zone too, because messages and the dashboard format their times in Node.
   */
  private async zoneNamed(zone: string): Promise<string> {
    if (zone === 'UTC') return zone;
    // Node also accepts offsets such as +01:00, and PostgreSQL would read them with the opposite sign.
    if (!/^[A-Za-z]/.test(zone) || !isKnownToNode(zone)) throw invalidInput('time_zone', ZONE_EXPECTED);
    const name = await this.store.zoneNamed(zone);
    if (name === null) throw invalidInput('time_zone', `${ZONE_EXPECTED}. PostgreSQL does not know '${zone}'`);
    return name;
  }

  private async checkTarget(transaction: Transaction, terms: LimitTerms): Promise<void> {
    const { exists, limitsOfTarget, limits } = await this.store.lockTarget(transaction, terms);
    if (!exists) throw unknownTarget(terms);
    if (limitsOfTarget >= LIMITS_OF_TARGET_MAX)
      throw validationError(
        'scope',
        `The ${terms.scope} already has ${LIMITS_OF_TARGET_MAX} limits, which is the maximum. Delete one first.`,
      );
    if (limits >= LIMITS_MAX)
      throw validationError(
        'scope',
        `There are already ${LIMITS_MAX} limits, which is the maximum. Delete some first.`,
      );
  }

  private writeAudit(transaction: Transaction, actor: AdminActor, { action, id, changes }: LimitChange): Promise<void> {
    const metadata = Object.keys(changes).length === 0 ? {} : { changes };
    return this.audit.write(transaction, { action, actor, targetType: 'limit', targetId: String(id), metadata });
  }
}

interface LimitChange {
  readonly action: Extract<AuditAction, `limit.${string}`>;
  readonly id: number;
  readonly changes: FieldChanges;
}

export function limitOrNotFound<T>(limit: T | null | undefined): T {
  if (limit === null || limit === undefined) throw notFound('Limit not found');
  return limit;
}

const WEIGHTED: readonly LimitMeasure[] = ['tokens', 'input_tokens'];
const CARRYING: readonly LimitPeriod[] = ['minute', 'hour', 'day', 'week', 'month'];

/** Checks rules over several fields of a limit. @throws GatewayError `validation_error`, for the first violation */
function checkTerms(terms: LimitTerms): void {
  const { measure, period, zone, weights, carryOver, startsAt, endsAt } = terms;
  if (zone !== 'UTC' && !ZONED_PERIODS.includes(period))
    throw invalidInput('time_zone', "'UTC', because only days, weeks and months depend on a time zone");
  if (weights !== null && !WEIGHTED.includes(measure))
    throw invalidInput('weights', "null, unless 'measure' is 'tokens' or 'input_tokens'");
  if (carryOver !== null && (measure === 'concurrent_requests' || !CARRYING.includes(period)))
    throw invalidInput('carry_over', "null, unless 'period' is a minute, hour, day, week or month");
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalidInput('ends_at', "a time after 'starts_at'");
}

function isKnownToNode(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== null;
  } catch {
    return false;
  }
}

const unknownTarget = ({ scope }: LimitTerms) =>
  invalidInput(`${scope}_id`, `the ID of ${scope === 'team' ? 'a team' : 'an API key'}`);

function termsChanges(before: LimitTerms | null, after: LimitTerms | null): FieldChanges {
  const [old, now] = [before, after].map((terms) => terms && shownTerms(terms));
  const fields = Object.fromEntries(Object.keys(old ?? now ?? {}).map((field) => [field, field]));
  return fieldChanges<string>(fields, old ?? null, now ?? null);
}
