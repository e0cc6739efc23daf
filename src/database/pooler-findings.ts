import { type PoolerProblem, SharedSession, UncheckedSession } from './pooler-check.js';

interface Findings {
  /** Connections whose last attempt got no session of its own, with the problem */
  readonly problems: Map<object, PoolerProblem>;
  /** The last usable connection went through a pooler that kept its session. */
  proven: boolean;
}

/** By URL, because a pooler that shares one connection's session can do so for all connections of the process. */
const found = new Map<string, Findings>();

/** The findings of this process about the pooler behind a URL. Each connection has its own instance and adds its own problem. */
export class PoolerFindings {
  private readonly findings: Findings;

  constructor(url: string) {
    this.findings = found.get(url) ?? { problems: new Map(), proven: false };
    found.set(url, this.findings);
  }

  /** Why no request can be admitted exactly, even with counts in memory; null if no connection has found a problem. */
  get problem(): PoolerProblem | null {
    const [first] = this.findings.problems.values();
    return first ?? null;
  }

  /** @param pooled whether the connection goes through a pooler */
  usable(pooled: boolean): void {
    this.findings.problems.delete(this);
    this.findings.proven = pooled;
  }

  /**
   * An inconclusive check counts as an outage if the pooler kept sessions before.
   * @returns whether the error is a problem of the pooler
   */
  failed(error: unknown): boolean {
    const shared = error instanceof SharedSession;
    if (!shared && !(error instanceof UncheckedSession && !this.findings.proven)) return false;
    if (shared) this.findings.proven = false;
    this.findings.problems.set(this, error);
    return true;
  }

  closed(): void {
    this.findings.problems.delete(this);
  }
}
