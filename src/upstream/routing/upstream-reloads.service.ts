import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../platform/config/config.js';
import { fileChanges } from '../../platform/config/upstreams/file-changes.rules.js';
import type { UpstreamsFile } from '../../platform/config/upstreams/upstreams-file.js';
import { Transactions, type Transaction } from '../../platform/database/transactions.js';
import { SYSTEM_ACTOR } from '../../platform/request-context/caller-session.js';
import { ReloadStore } from './stores/reload.store.js';

const RETRY_MS = 2_000;

interface PendingRow {
  readonly file: UpstreamsFile;
  readonly before: UpstreamsFile | null;
}

/** Writes one audit row for each new content of the `GW_UPSTREAMS` file, whichever process reads it first. */
@Injectable()
export class UpstreamReloads implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Upstreams');
  private file: UpstreamsFile | null = null;
  private pending: PendingRow | null = null;
  private timer: NodeJS.Timeout | undefined;
  private writing = false;
  private failing = false;

  constructor(
    private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly store: ReloadStore,
    private readonly audit: AuditLog,
  ) {}

  onApplicationBootstrap(): void {
    const { upstreams } = this.config;
    if (upstreams === null) return;
    this.file = upstreams.file;
    this.pending = { file: upstreams.file, before: null };
    upstreams.reloads.subscribe((file) => {
      // An unwritten row also covers this reload, so the row starts from the oldest content without a row.
      this.pending = { file, before: this.pending?.before ?? this.file };
      this.file = file;
      void this.write();
    });
    // Not awaited, because startup without a database must not hang.
    void this.write();
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
  }

  /** One row at a time, because each row begins where the row before it ended. */
  private async write(): Promise<void> {
    clearTimeout(this.timer);
    const { pending } = this;
    if (pending === null || this.writing) return;
    this.writing = true;
    try {
      await this.transactions.run((transaction) => this.writeRow(transaction, pending));
      this.pending = this.pending === pending ? null : { ...this.pending!, before: pending.file };
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`The audit row about the new upstreams is not stored yet: ${String(error)}`);
      this.failing = true;
    }
    this.writing = false;
    if (this.failing) this.timer = setTimeout(() => void this.write(), RETRY_MS).unref();
    else if (this.pending !== null) void this.write();
  }

  private async writeRow(transaction: Transaction, { file, before }: PendingRow): Promise<void> {
    if (!(await this.store.replace(transaction, file.digest))) return;
    await this.audit.write(transaction, {
      action: 'upstreams.loaded',
      actor: SYSTEM_ACTOR,
      targetType: 'upstreams',
      targetId: null,
      metadata: { ...fileChanges(before, file) },
    });
  }
}
