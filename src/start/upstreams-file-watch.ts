import { stat } from 'node:fs/promises';
import type { LoggerService } from '@nestjs/common';
import { fileStamp } from '../platform/config/upstreams/file-access.js';
import { fileChanges } from '../platform/config/upstreams/file-changes.rules.js';
import type { UpstreamsResult } from '../platform/config/upstreams/parse-upstreams.rules.js';
import type { UpstreamsFile } from '../platform/config/upstreams/upstreams-file.js';
import type { UpstreamsSource } from '../platform/config/upstreams/upstreams-source.js';
import type { Stoppable } from '../platform/lifecycle.js';
import { FilePoll, POLL_INTERVAL_MS } from './file-poll.js';

/**
 * Reads the `GW_UPSTREAMS` file again when it or a file that it names changes. Invalid content is logged once, and the gateway
 * keeps the current upstreams. New content is used once two consecutive polls have found it, so that a half-written file is never
 * used.
 */
export class UpstreamsFileWatch implements Stoppable {
  private readonly polling: FilePoll;
  private files: readonly string[];
  private stamp = '';
  /** Digest of the last content that was applied or reported. */
  private handled: string;
  private pending: string | null = null;

  constructor(
    private readonly source: UpstreamsSource,
    private readonly log: LoggerService,
    intervalMs = POLL_INTERVAL_MS,
  ) {
    ({ digest: this.handled, files: this.files } = source.file);
    const report = (error: unknown) => {
      this.log.error(`Cannot use ${source.path}: ${String(error)}`, undefined, 'Upstreams');
    };
    this.polling = new FilePoll(() => this.poll().catch(report), intervalMs);
  }

  stop(): Promise<void> {
    return this.polling.stop();
  }

  private async poll(): Promise<void> {
    const stamp = (await Promise.all([this.source.path, ...this.files].map(stampOf))).join('\n');
    if (stamp === this.stamp && this.pending === null) return;
    this.stamp = stamp;
    const result = this.source.read();
    const { digest, files } = 'file' in result ? result.file : result;
    this.files = files;
    if (digest === this.handled) this.pending = null;
    else if (digest === this.pending) this.handle(digest, result);
    else this.pending = digest;
  }

  private handle(digest: string, result: UpstreamsResult): void {
    this.pending = null;
    this.handled = digest;
    const { reloads, path } = this.source;
    if ('file' in result) {
      const changes = changesOf(reloads.file, result.file);
      reloads.apply(result.file);
      this.log.log(`The new content of ${path} is in use: ${changes}`, 'Upstreams');
      return;
    }
    for (const problem of result.problems)
      this.log.error(`${problem} The gateway keeps the current upstreams.`, undefined, 'Upstreams');
    reloads.fail();
  }
}

/** Returns the error code of a missing file. */
const stampOf = (path: string): Promise<string> =>
  stat(path).then(fileStamp, (error: NodeJS.ErrnoException) => error.code ?? 'unknown');

function changesOf(before: UpstreamsFile, after: UpstreamsFile): string {
  const { added, removed, changed, routes_changed: routesChanged } = fileChanges(before, after);
  const lists = Object.entries({ added, removed, changed }).filter(([, names]) => names.length > 0);
  const texts = lists.map(([change, names]) => `${change} ${names.join(', ')}`);
  if (routesChanged) texts.push('changed routes');
  if (texts.length === 0 && orderOf(before) !== orderOf(after)) texts.push('changed order');
  return texts.length === 0 ? 'no upstream has changed' : texts.join('; ');
}

const orderOf = ({ upstreams }: UpstreamsFile): string => upstreams.map(({ name }) => name).join();
