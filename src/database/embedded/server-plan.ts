import type { Binaries } from './binaries.js';
import type { Cluster } from './cluster-files.js';
import type { RunAs } from './run-as.js';

/** What a server is started with, now and after it has died. */
export interface ServerPlan {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}
