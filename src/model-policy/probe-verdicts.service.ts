import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Changes } from '../platform/changes/changes.js';
import { type Transaction, Transactions } from '../platform/database/transactions.js';
import type { AdminActor } from '../platform/request-context/caller-session.js';
import type { ProbeVerdict } from './availability.rules.js';
import type { ProbeResponse } from './probe/upstream-probe.js';
import { ProbeStore, type StoredVerdict } from './stores/probe.store.js';
import { CachedTable } from '../platform/changes/cached-table.js';

/** The stored verdict of each probed model. `ModelProbes` sends the probes, and `ProbeJob` runs them on schedule. */
@Injectable()
export class ProbeVerdicts extends CachedTable<StoredVerdict> {
  constructor(
    private readonly store: ProbeStore,
    changes: Changes,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {
    const same = (a: StoredVerdict, b: StoredVerdict) => a.verdict === b.verdict;
    super(changes, { name: 'probe verdicts', table: 'model_probes', load: () => store.all(), same });
  }

  /** Writes an audit row even without a verdict. */
  async record(model: string, response: ProbeResponse, actor: AdminActor): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const before = await this.store.lock(transaction, [model]);
      await this.writeAudit(transaction, { model, response, before: before.get(model) }, actor);
      if (response.verdict !== null) await this.store.put(transaction, new Map([[model, response.verdict]]));
    });
    await this.refresh();
  }

  /** Stores the verdicts of a whole run in one transaction. Only changed verdicts get an audit row. */
  async recordRun(responses: ReadonlyMap<string, ProbeResponse>, actor: AdminActor): Promise<void> {
    const verdicts = new Map<string, ProbeVerdict>();
    for (const [model, { verdict }] of responses) if (verdict !== null) verdicts.set(model, verdict);
    await this.transactions.run(async (transaction) => {
      const before = await this.store.lock(transaction, [...verdicts.keys()]);
      for (const [model, verdict] of verdicts) {
        const old = before.get(model);
        if (old?.verdict === verdict) continue;
        await this.writeAudit(transaction, { model, response: responses.get(model)!, before: old }, actor);
      }
      await this.store.put(transaction, verdicts);
    });
    await this.refresh();
  }

  private writeAudit(transaction: Transaction, probed: Probed, actor: AdminActor): Promise<void> {
    const { model, response, before } = probed;
    const old = before?.verdict ?? null;
    const changes =
      response.verdict === null || response.verdict === old ? {} : { availability: { old, new: response.verdict } };
    const metadata = { changes, verdict: response.verdict, upstream_status: response.status };
    return this.audit.write(transaction, {
      action: 'model.probed',
      actor,
      targetType: 'model',
      targetId: model,
      metadata,
    });
  }
}

interface Probed {
  readonly model: string;
  readonly response: ProbeResponse;
  readonly before: StoredVerdict | undefined;
}

/** Rejects a run (D12) if more than half of the probes failed: the cause is then probably the upstream, not the models. */
export const isRunKept = ({ models, failed }: { readonly models: number; readonly failed: number }): boolean =>
  models > 0 && failed * 2 <= models;
