import { hash } from 'node:crypto';
import type { KeySettings } from '../../keys/keys.service.js';
import { matchesPattern } from '../../platform/validation/model-pattern.rules.js';
import { COUNT_MAX, DOLLARS_MAX, type LimitMeasure, type LimitPeriod } from '../../quota/limits/limit-terms.data.js';
import { Findings, type Finding } from './finding.js';
import { formatNanos } from '../../costs/pricing/price-text.rules.js';
import { printable } from '../text-table.js';
import { fieldsOf, isEmpty, numberOf, textOf, textsOf, type Fields } from './fields.rules.js';
import type { LitellmRows } from './litellm-database.read-model.js';
import type { ImportedUpstreams } from './litellm-upstreams.rules.js';

/** A limit as `POST /admin/limits` accepts it, without its scope. */
export interface PlannedLimit {
  readonly name: string;
  readonly measure: LimitMeasure;
  readonly period: LimitPeriod | null;
  readonly amount: string | number;
  readonly models: string[] | null;
  readonly alert_thresholds?: number[];
  readonly mode?: 'observe';
}

export interface PlannedTeam {
  readonly name: string;
  readonly tags: string[];
  readonly limits: readonly PlannedLimit[];
}

export interface PlannedKey {
  /** SHA-256 of the raw key, in hex digits. */
  readonly hash: string;
  readonly hint: string;
  readonly team: string | null;
  readonly suspended: boolean;
  readonly settings: KeySettings & { readonly name: string };
  readonly limits: readonly PlannedLimit[];
}

export interface Tenants {
  readonly teams: readonly PlannedTeam[];
  readonly keys: readonly PlannedKey[];
  /** Limits of organizations and users, by tag. */
  readonly tagLimits: ReadonlyMap<string, readonly PlannedLimit[]>;
  readonly findings: readonly Finding[];
}

const REQUESTS_MAX = 2_147_483_647;
const NAME_MAX = 255;
const TAGS_MAX = 20;
const MODELS_MAX = 1000;
/** LiteLLM's own sign-in sessions are keys of this team. */
const DASHBOARD_TEAM = 'litellm-dashboard';

/** Converts the rows of a LiteLLM database. @param upstreams null without a configuration: model names are then model IDs */
export function tenantsOf(rows: LitellmRows, upstreams: ImportedUpstreams | null): Tenants {
  const planner = new TenantPlanner(rows, upstreams);
  const teams = rows.teams.map((row) => planner.team(row));
  const keys = rows.keys.flatMap((row) => planner.key(row));
  planner.reportOthers();
  return { teams, keys, tagLimits: planner.tagLimits, findings: planner.findings.all };
}

class TenantPlanner {
  readonly findings = new Findings();
  readonly tagLimits = new Map<string, readonly PlannedLimit[]>();
  private readonly budgets: ReadonlyMap<string, Fields>;
  private readonly teamNames: ReadonlyMap<string, string>;
  private readonly teamRows: ReadonlyMap<string, Fields>;
  private readonly organizations: ReadonlyMap<string, Fields>;
  private readonly organizationTags: ReadonlyMap<string, string>;
  private readonly userTags: ReadonlyMap<string, string>;

  constructor(
    private readonly rows: LitellmRows,
    private readonly upstreams: ImportedUpstreams | null,
  ) {
    this.budgets = byId(rows.budgets, 'budget_id');
    this.teamRows = byId(rows.teams, 'team_id');
    this.organizations = byId(rows.organizations, 'organization_id');
    this.teamNames = distinctNames(rows.teams, 'team_id', 'team_alias', cleanName);
    this.organizationTags = this.ownersOf(rows.organizations, ['organization_id', 'organization_alias'], 'org');
    const limited = rows.users.filter(
      (row) => !isEmpty(row['max_budget']) || !isEmpty(row['tpm_limit']) || !isEmpty(row['rpm_limit']),
    );
    this.userTags = this.ownersOf(limited, ['user_id', 'user_email'], 'user');
  }

  /** Limits of organizations and users become limits of a tag, which their teams and keys get. */
  private ownersOf(
    rows: readonly Fields[],
    [id, alias]: readonly [string, string],
    prefix: string,
  ): ReadonlyMap<string, string> {
    const tags = distinctNames(rows, id, alias, (text) => tagOf(`${prefix}:${text}`));
    for (const row of rows) {
      const tag = tags.get(String(row[id]));
      if (tag === undefined) continue;
      const limits = this.limitsOf(
        row,
        `${prefix === 'org' ? 'organization' : 'user'} "${tag.slice(prefix.length + 1)}"`,
      );
      if (limits.length > 0) this.tagLimits.set(tag, limits);
      else if (prefix === 'user') this.findings.skipped(`user "${tag}"`, 'None of its limits could be imported.');
    }
    return tags;
  }

  team(row: Fields): PlannedTeam {
    const name = this.teamNames.get(String(row['team_id']))!;
    const place = `team "${name}"`;
    if (row['blocked'] === true) this.findings.changed(place, 'It is blocked. Its keys are suspended instead.');
    this.reportFields(row, place, TEAM_FIELDS);
    return { name, tags: this.tags(row, null), limits: this.limitsOf(row, place) };
  }

  key(row: Fields): PlannedKey[] {
    const token = textOf(row['token']);
    if (token === null || row['team_id'] === DASHBOARD_TEAM) return [];
    const isRaw = token.startsWith('sk-');
    const digest = isRaw ? hash('sha256', token, 'hex') : token.toLowerCase();
    const name = cleanName(textOf(row['key_alias']) ?? `litellm-${digest.slice(0, 12)}`);
    const place = `key "${name}"`;
    if (!/^[0-9a-f]{64}$/.test(digest)) {
      this.findings.skipped(place, 'Its token is not a SHA-256 hash.');
      return [];
    }
    const team = this.teamRows.get(String(row['team_id'])) ?? null;
    if (team === null && textOf(row['team_id']) !== null)
      this.findings.action(place, 'Its team does not exist. The key has no team now.');
    this.reportFields(row, place, KEY_FIELDS);
    const allowed = this.allowedModels(row, team, place);
    const requestLimit = numberOf(row['rpm_limit']);
    const expires = textOf(row['expires']);
    return [
      {
        hash: digest,
        hint: hintOf(isRaw ? token : (textOf(row['key_name']) ?? '')),
        team: team === null ? null : this.teamNames.get(String(row['team_id']))!,
        suspended: row['blocked'] === true || team?.['blocked'] === true || allowed === 'none',
        settings: {
          name,
          tags: this.tags(row, team),
          rpmLimit:
            requestLimit !== null && requestLimit >= 1
              ? Math.min(Math.floor(requestLimit), REQUESTS_MAX)
              : REQUESTS_MAX,
          rpdLimit: REQUESTS_MAX,
          allowedModels: allowed === 'none' ? null : allowed,
          expiresAt: expires === null ? null : utcOf(expires),
        },
        // The request limit of the key itself is a field of the key.
        limits: this.limitsOf(row, place).filter(
          ({ measure, period, models }) =>
            !(measure === 'requests' && period === 'minute' && models === null && Number(requestLimit) >= 1),
        ),
      },
    ];
  }

  reportOthers(): void {
    const { models, teamMembers, endUsers, keys } = this.rows;
    const sessions = keys.filter((row) => row['team_id'] === DASHBOARD_TEAM).length;
    if (sessions > 0)
      this.findings.skipped('sign-in sessions', `${sessions} keys belong to sessions of LiteLLM's dashboard.`);
    if (models.length > 0)
      this.findings.skipped(
        'models in the database',
        `${models.length} models are stored with encrypted parameters. Add them to config.yaml, or to the upstreams file.`,
      );
    const members = teamMembers.filter((row) => textOf(row['budget_id']) !== null).length;
    if (members > 0)
      this.findings.skipped(
        'budgets of team members',
        `${members} members have a budget within a team. Give each a key, and set limits for the keys.`,
      );
    const limited = endUsers.filter((row) => textOf(row['budget_id']) !== null).length;
    if (limited > 0)
      this.findings.skipped(
        'budgets of end users',
        `${limited} end users have a budget. The gateway has no limits per end user.`,
      );
  }

  private tags(row: Fields, team: Fields | null): string[] {
    const tags = [
      this.organizationTags.get(String(row['organization_id'])),
      // A user's budget applies to the keys without a team.
      team === null && 'token' in row && textOf(row['team_id']) === null
        ? this.userTags.get(String(row['user_id']))
        : undefined,
      ...textsOf(fieldsOf(row['metadata'])?.['tags']).map(tagOf),
    ];
    return [...new Set(tags.filter((tag) => tag !== undefined))].slice(0, TAGS_MAX);
  }

  /**
   * The models that the key, its team and its organization all allow.
   * @returns null for no restriction; 'none' if the key can use no model, because an empty list would allow all
   */
  private allowedModels(key: Fields, team: Fields | null, place: string): string[] | null | 'none' {
    const organization = this.organizations.get(String(key['organization_id'] ?? team?.['organization_id']));
    const isTeams = textsOf(key['models']).includes('all-team-models');
    const owners = [isTeams ? {} : key, team ?? {}, organization ?? {}];
    const lists = owners.flatMap((owner) => {
      const ids = this.modelsOf(owner, place);
      return ids === null ? [] : [ids];
    });
    const [first, ...others] = lists;
    if (first === undefined) return null;
    const allowed = first.filter((id) => others.every((ids) => ids.includes(id)));
    if (allowed.length === 0) {
      this.findings.action(
        place,
        'None of its models was imported, so the key is suspended. Set its allowed models, and unsuspend it.',
      );
      return 'none';
    }
    if (allowed.length > MODELS_MAX)
      this.findings.action(place, `It has more than ${MODELS_MAX} allowed models. Only the first ones are imported.`);
    return allowed.slice(0, MODELS_MAX);
  }

  /** Null for no restriction. */
  private modelsOf(row: Fields, place: string): string[] | null {
    const names = textsOf(row['models']);
    if (names.length === 0 || names.includes('all-proxy-models') || names.includes('*')) return null;
    return [...new Set(names.flatMap((name) => this.idsOf(name, place)))];
  }

  private idsOf(name: string, place: string): readonly string[] {
    if (name === 'no-default-models') return [];
    if (this.upstreams === null) return this.exactIdOf(name, place);
    const { idsOf, accessGroups } = this.upstreams;
    const group = accessGroups.get(name);
    if (group !== undefined) return group.flatMap((one) => idsOf.get(one) ?? []);
    const matching = name.includes('*')
      ? [...idsOf].filter(([one]) => matchesPattern(name, one)).flatMap(([, ids]) => ids)
      : [];
    return idsOf.get(name) ?? (matching.length > 0 ? matching : this.exactIdOf(name, place));
  }

  private exactIdOf(name: string, place: string): readonly string[] {
    if (!name.includes('*')) return [name];
    this.findings.skipped(`${place} models`, `Allowed models are exact IDs. "${name}" matches none that was imported.`);
    return [];
  }

  private limitsOf(row: Fields, place: string): PlannedLimit[] {
    const budget = this.budgets.get(String(row['budget_id'])) ?? {};
    const value = (name: string) => numberOf(row[name]) ?? numberOf(budget[name]);
    const duration = textOf(row['budget_duration']) ?? textOf(budget['budget_duration']);
    const limits: PlannedLimit[] = [];
    const add = (
      measure: LimitMeasure,
      period: LimitPeriod | null,
      amount: number | null,
      models: string[] | null = null,
    ) => {
      if (amount === null || amount < 0) return;
      const name = ['LiteLLM', ...(models ?? [])].join(' ').slice(0, NAME_MAX);
      limits.push({
        name,
        measure,
        period,
        models,
        amount: measure === 'cost' ? dollars(amount) : Math.min(Math.floor(amount), COUNT_MAX),
      });
    };
    const maximum = value('max_budget');
    if (maximum !== null && maximum >= 0) limits.push(this.budget(maximum, value('soft_budget'), duration, place));
    else if (value('soft_budget') !== null)
      limits.push({ ...this.budget(value('soft_budget')!, null, duration, place), mode: 'observe' });
    add('requests', 'minute', value('rpm_limit'));
    add('tokens', 'minute', value('tpm_limit'));
    add('tokens', 'day', value('tpd_limit'));
    add('concurrent_requests', null, value('max_parallel_requests'));
    const metadata = fieldsOf(row['metadata']) ?? {};
    for (const [model, amount] of Object.entries(fieldsOf(metadata['model_rpm_limit']) ?? {}))
      add('requests', 'minute', numberOf(amount), [model]);
    for (const [model, amount] of Object.entries(fieldsOf(metadata['model_tpm_limit']) ?? {}))
      add('tokens', 'minute', numberOf(amount), [model]);
    for (const [model, given] of Object.entries(fieldsOf(row['model_max_budget']) ?? {})) {
      const terms = fieldsOf(given);
      const amount = numberOf(terms?.['budget_limit']) ?? numberOf(terms?.['max_budget']) ?? numberOf(given);
      const period = textOf(terms?.['time_period']) ?? textOf(terms?.['budget_duration']);
      add('cost', this.periodOf(period, `${place} budget of "${model}"`), amount, [model]);
    }
    if (limits.some(({ measure }) => measure === 'cost') && (numberOf(row['spend']) ?? 0) > 0)
      this.findings.changed(
        `${place} spend`,
        `The budget starts with 0, not with the $${dollars(numberOf(row['spend'])!)} that LiteLLM counted.`,
      );
    return limits;
  }

  private budget(amount: number, soft: number | null, duration: string | null, place: string): PlannedLimit {
    const share = soft === null || amount === 0 ? 0 : Math.round((soft / amount) * 100);
    const alerts = share >= 1 && share < 100 ? { alert_thresholds: [share, 100] } : {};
    const period = this.periodOf(duration, `${place} budget_duration`);
    return { name: 'LiteLLM', measure: 'cost', period, amount: dollars(amount), models: null, ...alerts };
  }

  /** The period with the same length, or the next longer one, which never allows more. */
  private periodOf(duration: string | null, place: string): LimitPeriod {
    if (duration === null) return 'total';
    const seconds = secondsOf(duration);
    const exact = PERIODS.find(([, length]) => length === seconds);
    if (exact !== undefined) return exact[0];
    const longer = PERIODS.find(([, length]) => seconds !== null && length > seconds)?.[0] ?? 'total';
    this.findings.changed(
      place,
      `There is no period of ${duration}. The limit applies to ${longer === 'total' ? 'all time' : `a ${longer}`}, which is stricter.`,
    );
    return longer;
  }

  private reportFields(row: Fields, place: string, reasons: Readonly<Record<string, string>>): void {
    for (const [name, reason] of Object.entries(reasons))
      if (!isEmpty(row[name])) this.findings.skipped(`${place} ${name}`, reason);
  }
}

const KEY_FIELDS: Readonly<Record<string, string>> = {
  aliases: 'Aliases belong to upstreams, and apply to all keys.',
  config: 'A key has no configuration of its own.',
  router_settings: 'Routes apply to all keys.',
  permissions: 'A key has no permissions besides its models.',
  allowed_routes: 'A key can call all routes of the gateway.',
  allowed_cache_controls: 'The gateway does not cache responses.',
  policies: 'The gateway does not inspect or change contents.',
  access_group_ids: 'Set the allowed models of the key.',
  budget_fallbacks: 'A request that reaches a limit is rejected.',
  budget_limits: 'Set limits with `models`.',
  auto_rotate: 'Keys are rotated by operators.',
  agent_id: 'The gateway has no agents.',
  project_id: 'The gateway has no projects. Use tags.',
  object_permission_id: 'The gateway does not connect to MCP servers.',
};
const TEAM_FIELDS: Readonly<Record<string, string>> = {
  model_id: 'Aliases belong to upstreams, and apply to all keys.',
  router_settings: 'Routes apply to all keys.',
  policies: 'The gateway does not inspect or change contents.',
  access_group_ids: 'Set the allowed models of each key.',
  budget_limits: 'Set limits with `models`.',
  object_permission_id: 'The gateway does not connect to MCP servers.',
};

const DAY_S = 86_400;
const MONTH_S = 30 * DAY_S;
/** From the shortest to the longest. LiteLLM also ends days, weeks and months of 30 days at midnight UTC. */
const PERIODS: readonly (readonly [LimitPeriod, number])[] = [
  ['minute', 60],
  ['hour', 3600],
  ['rolling_5h', 5 * 3600],
  ['day', DAY_S],
  ['week', 7 * DAY_S],
  ['month', MONTH_S],
];
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: DAY_S, w: 7 * DAY_S, mo: MONTH_S };
const WORDS: Readonly<Record<string, string>> = { hourly: '1h', daily: '1d', weekly: '7d', monthly: '30d' };

function secondsOf(text: string): number | null {
  const [, value, unit = ''] = /^(\d+)(mo|[smhdw])$/.exec(WORDS[text.toLowerCase()] ?? text) ?? [];
  return value === undefined ? null : Number(value) * UNITS[unit]!;
}

/** At most 6 decimals, rounded down, because a limit must not allow more. The small addend undoes binary rounding. */
const dollars = (amount: number): string =>
  formatNanos(BigInt(Math.floor(Math.min(amount, Number(DOLLARS_MAX)) * 1e6 + 1e-6)) * 1000n);

function cleanName(text: string): string {
  const oneLine = printable(text.toWellFormed()).trim();
  return [...oneLine].slice(0, NAME_MAX).join('') || 'unnamed';
}

const tagOf = (text: string): string => text.replace(/[^A-Za-z0-9._:/-]/g, '-').slice(0, 64);

/** LiteLLM shows a key as `sk-...abcd`. */
const hintOf = (keyName: string): string => `sk-…${/[\w-]{4}$/.exec(keyName)?.[0] ?? '????'}`;

/** LiteLLM stores UTC without a time zone. */
const utcOf = (text: string): Date => new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);

const byId = (rows: readonly Fields[], id: string): ReadonlyMap<string, Fields> =>
  new Map(rows.map((row) => [String(row[id]), row]));

/** Names by ID, from the alias or otherwise the ID. A name that occurs twice, in any letter case, gets the ID in addition. */
function distinctNames(
  rows: readonly Fields[],
  id: string,
  alias: string,
  clean: (text: string) => string,
): ReadonlyMap<string, string> {
  const nameOf = (row: Fields) => clean(textOf(row[alias]) ?? String(row[id]));
  const counts = Map.groupBy(rows, (row) => nameOf(row).toLowerCase());
  return new Map(
    rows.map((row) => {
      const name = nameOf(row);
      const isShared = counts.get(name.toLowerCase())!.length > 1;
      return [String(row[id]), isShared ? clean(`${textOf(row[alias]) ?? ''}-${String(row[id])}`) : name];
    }),
  );
}
