import { readUpstreamsFile, type UpstreamsResult } from './parse-upstreams.rules.js';
import type { UpstreamsFile } from './upstreams-file.js';
import { UpstreamsReloads } from './upstreams-reloads.js';
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

  /** Reads the file again without applying it. */
  read(): UpstreamsResult {
    return readUpstreamsFile(this.sources);
  }
}
