import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptedUpstream } from './scripted-upstream.js';

/** An entry as in the `GW_UPSTREAMS` file. */
export interface UpstreamEntry {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface UpstreamsContent {
  readonly upstreams: readonly UpstreamEntry[];
  readonly routes?: readonly object[];
}

/** A `GW_UPSTREAMS` file in a folder of its own. */
export class UpstreamsFile implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'upstreams-'));
  readonly path = join(this.folder, 'upstreams.yaml');

  constructor(content: UpstreamsContent | string) {
    this.write(content);
  }

  /** These settings replace the single account of `TestGateway`. */
  get env(): Record<string, string> {
    return { GW_UPSTREAM_BASE_URL: '', GW_UPSTREAM_API_KEY: '', GW_UPSTREAMS: this.path };
  }

  write(content: UpstreamsContent | string): void {
    writeFileSync(this.path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

export const listsOnly = (provider: ScriptedUpstream, ...ids: string[]): void =>
  provider.on('GET', '/v1/models', () => ({
    status: 200,
    body: { object: 'list', data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'system' })) },
  }));
