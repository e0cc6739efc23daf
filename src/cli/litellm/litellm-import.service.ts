import { Injectable } from '@nestjs/common';
import { AdminLimits } from '../../admin/limits/admin-limits.service.js';
import { CreateLimitRequest } from '../../admin/limits/limit.request.dto.js';
import { KeysService } from '../../keys/keys.service.js';
import { TeamsService } from '../../keys/teams/teams.service.js';
import { SYSTEM_ACTOR } from '../../platform/request-context/caller-session.js';
import { acceptInput } from '../../platform/validation/nested-input.js';
import type { PlannedKey, PlannedLimit, PlannedTeam, Tenants } from './litellm-tenants.rules.js';

export interface Counts {
  created: number;
  /** Existed before, and was not changed. */
  unchanged: number;
}

export interface Imported {
  readonly teams: Counts;
  readonly keys: Counts;
  readonly limits: Counts;
}

type Scope =
  | { readonly scope: 'team'; readonly team_id: string }
  | { readonly scope: 'key'; readonly key_id: string }
  | { readonly scope: 'tag'; readonly tag: string };

const SOURCE = 'litellm';
const LIMITS_MAX = 500;

/**
 * Creates what is missing, and changes nothing that exists. An import can therefore be repeated, also after it was interrupted.
 * Teams are recognized by their names, keys by their hashes, and limits by what they count.
 */
@Injectable()
export class LitellmImport {
  constructor(
    private readonly teams: TeamsService,
    private readonly keys: KeysService,
    private readonly limits: AdminLimits,
  ) {}

  async run(tenants: Tenants, dryRun: boolean): Promise<Imported> {
    const imported: Imported = { teams: counts(), keys: counts(), limits: counts() };
    for (const [tag, limits] of tenants.tagLimits)
      await this.addLimits({ scope: 'tag', tag }, limits, { imported, dryRun });
    const teamIds = new Map<string, string>();
    for (const team of tenants.teams) {
      const id = await this.addTeam(team, { imported, dryRun });
      if (id !== null) teamIds.set(team.name, id);
    }
    for (const key of tenants.keys) await this.addKey(key, teamIds, { imported, dryRun });
    return imported;
  }

  private async addTeam(team: PlannedTeam, run: Run): Promise<string | null> {
    const found = await this.teams.find(team.name);
    count(run.imported.teams, found === null);
    const id =
      found?.id ??
      (run.dryRun ? null : (await this.teams.create({ name: team.name, tags: team.tags }, SYSTEM_ACTOR)).id);
    await this.addLimits(id === null ? null : { scope: 'team', team_id: id }, team.limits, run);
    return id;
  }

  private async addKey(key: PlannedKey, teamIds: ReadonlyMap<string, string>, run: Run): Promise<void> {
    const { hash, hint, suspended, settings, limits, team } = key;
    const known = await this.keys.idOfHash(hash);
    count(run.imported.keys, known === null);
    const teamId = team === null ? null : (teamIds.get(team) ?? null);
    const given = { hash, hint, suspended, source: SOURCE, settings: { ...settings, teamId } };
    const id = known ?? (run.dryRun ? null : await this.keys.import(given, SYSTEM_ACTOR));
    await this.addLimits(id === null ? null : { scope: 'key', key_id: id }, limits, run);
  }

  /** @param scope null if the owner of the limits does not exist, in a dry run */
  private async addLimits(
    scope: Scope | null,
    planned: readonly PlannedLimit[],
    { imported, dryRun }: Run,
  ): Promise<void> {
    if (planned.length === 0) return;
    const query = { ...scope, sort: 'created', format: 'json', limit: LIMITS_MAX, offset: 0 } as const;
    const existing = scope === null ? [] : (await this.limits.list(query)).limits;
    const known = new Set(existing.map((limit) => countedBy(limit)));
    for (const limit of planned) {
      const isNew = !known.has(countedBy(limit));
      count(imported.limits, isNew);
      if (isNew && !dryRun)
        await this.limits.create(acceptInput(CreateLimitRequest, { ...limit, ...scope })(), SYSTEM_ACTOR);
    }
  }
}

interface Run {
  readonly imported: Imported;
  readonly dryRun: boolean;
}

interface Counted {
  readonly measure: string;
  readonly period: string | null;
  readonly models: readonly string[] | null;
}

const counts = (): Counts => ({ created: 0, unchanged: 0 });

function count(of: Counts, isNew: boolean): void {
  if (isNew) of.created++;
  else of.unchanged++;
}

const countedBy = ({ measure, period, models }: Counted): string => JSON.stringify([measure, period, models]);
