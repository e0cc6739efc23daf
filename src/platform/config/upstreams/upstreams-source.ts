import { readUpstreamsFile, type UpstreamsResult } from './parse-upstreams.rules.js';
import type { UpstreamsFile } from './upstreams-file.js';
import type { UpstreamsSources } from './file-access.js';

/** The file of `GW_UPSTREAMS`. All copies of a `Config` share one instance. */
export class UpstreamsSource {
  readonly reloads: UpstreamsReloads;

  /** @param sources the environment at the start of the process, which every `read` uses */
  constructor(
    file: UpstreamsFile,
    private readonly sources: UpstreamsSources,
  ) {
    this.reloads = new UpstreamsReloads(file);
  }

  get path(): string {
    return this.sources.path;
  }

  /** The file in use: as it was at startup, or after the last reload. */
  get file(): UpstreamsFile {
    return this.reloads.file;
  }

  read(): UpstreamsResult {
    return readUpstreamsFile(this.sources);
  }
}

/** The state of the `GW_UPSTREAMS` file. Workers receive it from the primary process, which watches the file for all of them. */
export interface UpstreamsState {
  readonly file: UpstreamsFile;
  readonly failed: boolean;
  readonly failures: number;
  readonly loadedAt: Date;
}

/** Holds the `GW_UPSTREAMS` file in use, and notifies listeners of changes. All copies of a `Config` share one instance. */
export class UpstreamsReloads {
  private readonly listeners: ((file: UpstreamsFile) => void)[] = [];
  private readonly stateListeners: ((state: UpstreamsState) => void)[] = [];
  private current: UpstreamsState;

  constructor(file: UpstreamsFile) {
    this.current = { file, failed: false, failures: 0, loadedAt: new Date() };
  }

  get file(): UpstreamsFile {
    return this.current.file;
  }

  /** Whether the newest content of the file is invalid, so that an older one is in use. */
  get failed(): boolean {
    return this.current.failed;
  }

  get failures(): number {
    return this.current.failures;
  }

  get loadedAt(): Date {
    return this.current.loadedAt;
  }

  get state(): UpstreamsState {
    return this.current;
  }

  /** Listeners live as long as the process. They run synchronously, in the order of their subscription. */
  subscribe(listener: (file: UpstreamsFile) => void): void {
    this.listeners.push(listener);
  }

  /** The listener also runs after a failed reload. */
  subscribeToState(listener: (state: UpstreamsState) => void): void {
    this.stateListeners.push(listener);
  }

  apply(file: UpstreamsFile): void {
    this.follow({ ...this.current, file, failed: false, loadedAt: new Date() });
  }

  fail(): void {
    this.follow({ ...this.current, failed: true, failures: this.failures + 1 });
  }

  /** Adopts the state of the primary process. Listeners for the file run only if its content differs. */
  follow(state: UpstreamsState): void {
    const changed = state.file.digest !== this.file.digest;
    this.current = state;
    for (const listener of changed ? this.listeners : []) listener(state.file);
    for (const listener of this.stateListeners) listener(state);
  }
}
