import { Module, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { pageOf } from '../admin/page.dto.js';
import { TestedUpstreamResponse } from '../admin/upstreams/upstream.dto.js';
import { dayAfter, dayOf } from '../costs/days.rules.js';
import { cachedTokensIn, inputTokensIn } from '../costs/pricing/cache-savings.rules.js';
import { CostReports } from '../costs/report/cost-report.service.js';
import { CostReportsModule } from '../costs/report/cost-reports.module.js';
import { SETTINGS } from '../platform/config/settings.data.js';
import { readUpstreamsFile } from '../platform/config/upstreams/parse-upstreams.rules.js';
import type { UpstreamsFile } from '../platform/config/upstreams/upstreams-file.js';
import { sourcesOf } from '../platform/config/upstreams/file-access.js';
import { SYSTEM_ACTOR } from '../platform/request-context/caller-session.js';
import { RoutingModule } from '../upstream/routing/routing.module.js';
import { UpstreamDrains } from '../upstream/routing/upstream-drains.service.js';
import { UpstreamStates, type UpstreamState } from '../upstream/routing/upstream-states.service.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { withApplication, type Need } from './application.js';
import { CliError, EXIT, usageError } from './cli-error.js';
import type { Invocation, Result } from './command.js';
import { counted, pageText, printable, textTable, timeText } from './text-table.js';
import { checkEach } from './concurrent-checks.js';

@Module({ imports: [RoutingModule, CostReportsModule] })
class UpstreamListModule {}

const LISTS: Need = { module: UpstreamListModule, writes: false };
const READS: Need = { module: RoutingModule, writes: false };
const WRITES: Need = { module: RoutingModule, writes: true };
const LIST_HEAD = ['NAME', 'APIS', 'BASE URL', 'DRAINING SINCE', 'REGION', 'TAGS', 'ALIASES', 'CACHE HITS'];
const TEST_HEAD = ['NAME', 'RESULT', 'STATUS', 'LATENCY', 'MODELS', 'MESSAGE'];
const DRAINS_UNKNOWN = 'The list of draining upstreams cannot be read. Run "doctor" to check the database.';
const NONE = `${SETTINGS.upstreamsFile.env} is not set, so there is a single account. The command "doctor" tests it.`;

/** The tokens of today and the days before, in UTC. */
const CACHE_DAYS = 7;
/** Upstreams of earlier files have recorded tokens too. */
const PROVIDERS_MAX = 1_000;

/**
 * The document has the settings, the drain and the recorded cache hits of each upstream. Other figures exist only in the gateway
 * processes.
 */
export function listUpstreams(call: Invocation): Promise<Result> {
  return withUpstreams(call, LISTS, async (states, drains, costs) => {
    await drains.refresh();
    if (!drains.known) throw new CliError('database_unavailable', DRAINS_UNKNOWN);
    const all = states.all();
    const usedBy = all.length === 0 ? new Map<string, CacheUse>() : await cacheUses(costs());
    const useOf = ({ name }: UpstreamState): CacheUse => usedBy.get(name) ?? { input_tokens: 0, cached_tokens: 0 };
    const upstreams = all.map((upstream) => ({ ...settingsOf(upstream), ...useOf(upstream) }));
    const rows = all.map((upstream) => [...cellsOf(upstream), hitRateText(useOf(upstream))]);
    return {
      document: { ...pageOf(all.length, 0, all.length), upstreams },
      text: pageText(LIST_HEAD, rows, { offset: 0, total: all.length, none: NONE }),
    };
  });
}

interface CacheUse {
  readonly input_tokens: number;
  readonly cached_tokens: number;
}

async function cacheUses(costs: CostReports): Promise<ReadonlyMap<string, CacheUse>> {
  const nowMs = Date.now();
  const today = dayOf(nowMs);
  const { groups } = await costs.read(
    {
      days: { from: dayAfter(today, 1 - CACHE_DAYS), to: today },
      grouping: 'provider',
      filter: {},
      sort: 'name',
      limit: PROVIDERS_MAX,
      offset: 0,
      rowsMax: PROVIDERS_MAX,
    },
    nowMs,
  );
  return new Map(
    groups.map(({ value, units }) => [
      value ?? '',
      { input_tokens: inputTokensIn(units), cached_tokens: cachedTokensIn(units) },
    ]),
  );
}

const hitRateText = ({ input_tokens: input, cached_tokens: cached }: CacheUse): string =>
  input === 0 ? '-' : `${((100 * cached) / input).toFixed(1)}%`;

/** @param name empty for all upstreams */
export function testUpstreams(call: Invocation, name: string): Promise<Result> {
  return withUpstreams(call, READS, async (states) => {
    const names = name === '' ? states.all().map((upstream) => upstream.name) : [states.find(name).spec.name];
    const tests = await checkEach(names, async (each) => {
      return { name: each, ...TestedUpstreamResponse.of(await states.test(each)) };
    });
    const ok = tests.every((test) => test.ok);
    const rows = tests.map((test) => {
      const { status, models } = test;
      const figures = [String(status ?? '-'), `${test.latency_ms} ms`, String(models ?? '-')];
      return [test.name, test.ok ? 'ok' : 'FAIL', ...figures, test.message];
    });
    const text = tests.length === 0 ? `${NONE}\n` : textTable(TEST_HEAD, rows);
    return { document: { ok, upstreams: tests }, text, exitCode: ok ? EXIT.ok : EXIT.failed };
  });
}

export function drainUpstream(call: Invocation, name: string): Promise<Result> {
  const outcome = 'is draining. New requests go to other upstreams.';
  return changeUpstream(call, name, outcome, (drains) => drains.drain(name, SYSTEM_ACTOR));
}

export function resumeUpstream(call: Invocation, name: string): Promise<Result> {
  const outcome = 'is not draining. It gets new requests.';
  return changeUpstream(call, name, outcome, (drains) => drains.resume(name, SYSTEM_ACTOR));
}

/**
 * Reads the file, its secrets and its certificates, without a database or a network.
 * @param path default: `GW_UPSTREAMS`
 */
export function checkUpstreamsFile({ env }: Invocation, path: string): Promise<Result> {
  const { env: setting } = SETTINGS.upstreamsFile;
  const file = path === '' ? (env[setting] ?? '') : path;
  if (file === '') throw usageError(`${setting} is not set. Name a file: upstream check upstreams.yaml`);
  const result = readUpstreamsFile(sourcesOf(file, env, env[SETTINGS.environment.env] === 'production'));
  return Promise.resolve('file' in result ? validResult(file, result.file) : invalidResult(file, result.problems));
}

function changeUpstream(
  call: Invocation,
  name: string,
  outcome: string,
  change: (drains: UpstreamDrains) => Promise<void>,
): Promise<Result> {
  return withUpstreams(call, WRITES, async (states, drains) => {
    const upstream = states.find(name);
    await change(drains);
    return {
      document: settingsOf(states.stateOf(upstream)),
      text: `Upstream "${printable(name)}" ${outcome}\n`,
    };
  });
}

function validResult(file: string, { upstreams, routes }: UpstreamsFile): Result {
  const names = upstreams.map(({ name }) => name);
  const counts = `${counted(names.length, 'upstream')} (${names.join(', ')}) and ${counted(routes.length, 'route')}`;
  return {
    document: { ok: true, file, problems: [], upstreams: names, routes: routes.length },
    text: `${printable(file)} has ${counts}. No problems found.\n`,
  };
}

function invalidResult(file: string, problems: readonly string[]): Result {
  const lines = problems.map((problem) => `${printable(problem)}\n`);
  return {
    document: { ok: false, file, problems, upstreams: [], routes: 0 },
    text: `${lines.join('')}\n${counted(problems.length, 'problem')} found.\n`,
    exitCode: EXIT.failed,
  };
}

function withUpstreams(
  call: Invocation,
  need: Need,
  work: (states: UpstreamStates, drains: UpstreamDrains, costs: () => CostReports) => Promise<Result>,
): Promise<Result> {
  return withApplication(call, need, async (services: ModuleRef) => {
    try {
      const serviceOf = <T>(type: Type<T>) => services.get(type, { strict: false });
      return await work(serviceOf(UpstreamStates), serviceOf(UpstreamDrains), () => serviceOf(CostReports));
    } finally {
      // Nest calls no hooks of lazily loaded modules.
      await services.get(UpstreamClient, { strict: false }).onApplicationShutdown();
    }
  });
}

function settingsOf({ name, baseUrl, apis, region, tags, aliases, drainingSince }: UpstreamState) {
  return { name, base_url: baseUrl, apis, region, tags, aliases, draining_since: drainingSince };
}

function cellsOf({ name, baseUrl, apis, region, tags, aliases, drainingSince }: UpstreamState): string[] {
  const names = Object.entries(aliases).map(([alias, model]) => `${alias}=${model}`);
  return [name, apis.join(','), baseUrl, timeText(drainingSince), region ?? '-', listText(tags), listText(names)];
}

const listText = (items: readonly string[]): string => (items.length === 0 ? '-' : items.join(','));
