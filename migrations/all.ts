import type { MigrationInterface } from 'typeorm';
import { ApiKeys1790000001000 } from './1790000001000-api-keys.js';
import { Quota1790000002000 } from './1790000002000-quota.js';
import { Audit1790000003000 } from './1790000003000-audit.js';
import { ModelPolicy1790000004000 } from './1790000004000-model-policy.js';
import { Statistics1790000005000 } from './1790000005000-statistics.js';
import { ProbeVerdicts1790000006000 } from './1790000006000-probe-verdicts.js';
import { UsageSource1790000007000 } from './1790000007000-usage-source.js';
import { Operators1790000008000 } from './1790000008000-operators.js';
import { StatsRollup1790000009000 } from './1790000009000-stats-rollup.js';
import { ReadIndexes1790000010000 } from './1790000010000-read-indexes.js';
import { Events1790000011000 } from './1790000011000-events.js';
import { JobRuns1790000012000 } from './1790000012000-job-runs.js';
import { RedisCounts1790000013000 } from './1790000013000-redis-counts.js';
import { StatsRollupSplits1790000014000 } from './1790000014000-stats-rollup-splits.js';
import { ErrorMessage1790000015000 } from './1790000015000-error-message.js';
import { LowerAuditTargets1790000016000 } from './1790000016000-lower-audit-targets.js';
import { Upstreams1790000017000 } from './1790000017000-upstreams.js';
import { Costs1790000018000 } from './1790000018000-costs.js';
import { TokenCounting1790000019000 } from './1790000019000-token-counting.js';
import { Teams1790000020000 } from './1790000020000-teams.js';
import { Limits1790000021000 } from './1790000021000-limits.js';
import { LimitChanges1790000021100 } from './1790000021100-limit-changes.js';
import { LimitAdmission1790000021200 } from './1790000021200-limit-admission.js';
import { LimitProcesses1790000021300 } from './1790000021300-limit-processes.js';
import { UnpricedBatches1790000022000 } from './1790000022000-unpriced-batches.js';
import { MoveUnpricedUsage1790000022100 } from './1790000022100-move-unpriced-usage.js';
import { StatisticsCosts1790000022200 } from './1790000022200-statistics-costs.js';
import { CostMonths1790000022300 } from './1790000022300-cost-months.js';
import { ListedPrices1790000022400 } from './1790000022400-listed-prices.js';
import { ExactPeriods1790000023000 } from './1790000023000-exact-periods.js';
import { RollingUsage1790000023100 } from './1790000023100-rolling-usage.js';
import { LimitAmounts1790000023200 } from './1790000023200-limit-amounts.js';
import { SecondLimitAdmission1790000023300 } from './1790000023300-limit-admission-2.js';
import { AdmitOneRequest1790000023400 } from './1790000023400-admit-one-request.js';
import { SettleOverdraft1790000023500 } from './1790000023500-settle-overdraft.js';
import { AdmissionTypes1790000023600 } from './1790000023600-admission-types.js';
import { UnstoredRecords1790000024100 } from './1790000024100-unstored-records.js';
import { RequestExplorer1790000026000 } from './1790000026000-request-explorer.js';
import { FailureIndexes1790000026010 } from './1790000026010-failure-indexes.js';
import { RequestErrors1790000026100 } from './1790000026100-request-errors.js';
import { LostChanges1790000027000 } from './1790000027000-lost-changes.js';
import { ImportedKeys1790000028000 } from './1790000028000-imported-keys.js';
import { LaterUsage1790000028100 } from './1790000028100-later-usage.js';
import { UpstreamIncidents1790000040000 } from './1790000040000-upstream-incidents.js';

/** All migrations in order. An explicit list, because a glob would find other files in `dist/`. */
export const MIGRATIONS: (new () => MigrationInterface)[] = [
  ApiKeys1790000001000,
  Quota1790000002000,
  Audit1790000003000,
  ModelPolicy1790000004000,
  Statistics1790000005000,
  ProbeVerdicts1790000006000,
  UsageSource1790000007000,
  Operators1790000008000,
  StatsRollup1790000009000,
  ReadIndexes1790000010000,
  Events1790000011000,
  JobRuns1790000012000,
  RedisCounts1790000013000,
  StatsRollupSplits1790000014000,
  ErrorMessage1790000015000,
  LowerAuditTargets1790000016000,
  Upstreams1790000017000,
  Costs1790000018000,
  TokenCounting1790000019000,
  Teams1790000020000,
  Limits1790000021000,
  LimitChanges1790000021100,
  LimitAdmission1790000021200,
  LimitProcesses1790000021300,
  UnpricedBatches1790000022000,
  MoveUnpricedUsage1790000022100,
  StatisticsCosts1790000022200,
  CostMonths1790000022300,
  ListedPrices1790000022400,
  ExactPeriods1790000023000,
  RollingUsage1790000023100,
  LimitAmounts1790000023200,
  SecondLimitAdmission1790000023300,
  AdmitOneRequest1790000023400,
  SettleOverdraft1790000023500,
  AdmissionTypes1790000023600,
  UnstoredRecords1790000024100,
  RequestExplorer1790000026000,
  FailureIndexes1790000026010,
  RequestErrors1790000026100,
  LostChanges1790000027000,
  ImportedKeys1790000028000,
  LaterUsage1790000028100,
  UpstreamIncidents1790000040000,
];
