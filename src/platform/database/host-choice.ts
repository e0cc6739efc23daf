import type { SessionTarget } from '../config/database-hosts.rules.js';

/** The server is not of the kind that `target_session_attrs` demands. */
export class OtherSessionTarget extends Error {
  readonly code = 'GW_SESSION_TARGET';
}

/** How a server announces itself in a session. */
export interface SessionKind {
  readonly standby: boolean;
  readonly readOnly: boolean;
}

const ACCEPTS: Readonly<Record<SessionTarget, (kind: SessionKind) => boolean>> = {
  any: () => true,
  'read-write': ({ standby, readOnly }) => !standby && !readOnly,
  'read-only': ({ standby, readOnly }) => standby || readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
};

const byUrl = new Map<string, HostChoice>();

/**
 * The host of a URL that the next connection of this process tries. All connections share it, because they must use one server
 * (ADR 51). It moves on if a host does not respond or has another kind of server, in the order of the URL.
 */
export class HostChoice {
  private index = 0;
  /** Hosts that have failed since the last connection. */
  private failures = 0;
  private settled: number | null = null;

  private constructor(
    private readonly count: number,
    private readonly target: SessionTarget,
  ) {}

  static of(url: string, count: number, target: SessionTarget): HostChoice {
    const choice = byUrl.get(url) ?? new HostChoice(count, target);
    byUrl.set(url, choice);
    return choice;
  }

  get current(): number {
    return this.index;
  }

  /** Whether a connection has to read the kind of its server. */
  get needsKind(): boolean {
    return this.target !== 'any';
  }

  /** @throws OtherSessionTarget */
  check(index: number, kind: SessionKind): void {
    if (ACCEPTS[this.target](kind) || this.acceptsAny(index)) return;
    const server = `${kind.standby ? 'a standby' : 'a primary'}${kind.readOnly ? ' with read-only sessions' : ''}`;
    throw new OtherSessionTarget(`the server is ${server}, but target_session_attrs is ${this.target}`);
  }

  used(index: number): void {
    if (index !== this.index) return;
    this.failures = 0;
    this.settled = index;
  }

  /** @returns whether the next connection tries a host that has not failed in this round */
  failed(index: number): boolean {
    if (index === this.index) {
      this.index = (index + 1) % this.count;
      this.failures += 1;
      this.settled = null;
    }
    return this.failures % (this.count * this.passes) !== 0;
  }

  /** As in libpq, `prefer-standby` tries all hosts a second time, and then accepts any. */
  private get passes(): number {
    return this.target === 'prefer-standby' ? 2 : 1;
  }

  private acceptsAny(index: number): boolean {
    if (this.target !== 'prefer-standby') return false;
    return this.settled === index || Math.floor(this.failures / this.count) % 2 === 1;
  }
}
