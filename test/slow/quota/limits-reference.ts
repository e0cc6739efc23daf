/** The periods of the reference, all in UTC. */
export type Per = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'total' | 'rolling_5h' | 'rolling_7d';

type Measure = 'tokens' | 'requests' | 'concurrent_requests';

export interface Kind {
  readonly measure: Measure;
  readonly per: Per;
  readonly carryMax: number | null;
}

interface Use {
  readonly atMs: number;
  readonly amount: number;
}

export interface ReferenceClaim {
  readonly limit: ReferenceLimit;
  readonly asked: number;
  readonly overdraft: number;
}

interface Reservation extends ReferenceClaim {
  readonly epoch: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PARTS = { rolling_5h: { part: 5 * MINUTE, count: 61 }, rolling_7d: { part: 2 * HOUR, count: 85 } };

/** The start of the period that contains an instant. */
function startOf(per: Per, ms: number): number {
  const date = new Date(ms);
  switch (per) {
    case 'minute':
      return ms - (ms % MINUTE);
    case 'hour':
      return ms - (ms % HOUR);
    case 'day':
      return ms - (ms % DAY);
    case 'week':
      return ms - (ms % DAY) - ((date.getUTCDay() + 6) % 7) * DAY;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    case 'total':
    case 'rolling_5h':
    case 'rolling_7d':
      return 0;
    default:
      return per satisfies never;
  }
}

function nextStart(per: Per, startMs: number): number {
  const date = new Date(startMs);
  if (per === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return startMs + { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY }[per as 'day'];
}

/** A limit as its definition says, without any of the means that make it fast. The clock never goes back. */
export class ReferenceLimit {
  enforced = true;
  enabled = true;
  carried = 0;
  /** Counts begin again with each epoch: a period, a reset, or when the limit is enabled again. */
  epoch = 0;
  private startMs: number;
  private uses: Use[] = [];
  private reservations = new Set<Reservation>();
  private readonly topUps: { amount: number; untilMs: number }[] = [];

  readonly measure: Measure;
  readonly per: Per;
  private readonly carryMax: number | null;

  constructor(
    readonly id: number,
    { measure, per, carryMax }: Kind,
    public base: number,
    nowMs: number,
  ) {
    this.measure = measure;
    this.per = per;
    this.carryMax = carryMax;
    this.startMs = startOf(per, nowMs);
  }

  figures(nowMs: number): { used: number; held: number; overdraft: number; amount: number } {
    this.begin(nowMs);
    const held = [...this.reservations].filter(({ epoch }) => epoch === this.epoch);
    const added = this.topUps.filter(({ untilMs }) => nowMs < untilMs).reduce((sum, { amount }) => sum + amount, 0);
    return {
      used: this.uses.filter(({ atMs }) => this.isWithin(atMs, nowMs)).reduce((sum, { amount }) => sum + amount, 0),
      held: held.reduce((sum, { asked }) => sum + asked, 0),
      overdraft: held.reduce((sum, { overdraft }) => sum + overdraft, 0),
      amount: this.base + this.carried + added,
    };
  }

  fits({ asked, overdraft }: Pick<ReferenceClaim, 'asked' | 'overdraft'>, nowMs: number): boolean {
    const { used, held, overdraft: running, amount } = this.figures(nowMs);
    if (!this.enforced) return true;
    const isAlone = held === 0 || overdraft === 0;
    return asked <= amount - used - held && (isAlone || used + held + running + asked + overdraft <= 2 * amount);
  }

  reserve(asked: number, overdraft: number, nowMs: number): Reservation {
    this.begin(nowMs);
    const reservation = { limit: this, asked, overdraft, epoch: this.epoch };
    if (this.measure === 'requests') this.uses.push({ atMs: nowMs, amount: asked });
    else this.reservations.add(reservation);
    return reservation;
  }

  settle(reservation: Reservation, spent: number, nowMs: number): void {
    // Without a request in the new period, the old one still takes what ran in it.
    if (!this.reservations.delete(reservation) || reservation.epoch !== this.epoch) return;
    if (this.measure === 'tokens') this.uses.push({ atMs: nowMs, amount: spent });
  }

  topUp(amount: number, untilMs: number): void {
    this.topUps.push({ amount, untilMs });
  }

  /** When it is enabled again, it counts what is stored as usage, which is nothing here. Running requests stay reserved. */
  enable(): void {
    this.uses = [];
  }

  startAgain(): void {
    this.epoch += 1;
    this.uses = [];
  }

  private begin(nowMs: number): void {
    const startMs = startOf(this.per, nowMs);
    if (startMs <= this.startMs) return;
    for (let at = this.startMs; at < startMs; at = nextStart(this.per, at)) {
      const used = this.uses.reduce((sum, { amount }) => sum + amount, 0);
      const held = [...this.reservations].filter(({ epoch }) => epoch === this.epoch);
      const reserved = held.reduce((sum, { asked }) => sum + asked, 0);
      const left = Math.max(0, this.base + this.carried - used - reserved);
      this.carried = this.carryMax === null || !this.enabled ? 0 : Math.min(this.carryMax, left);
      this.startAgain();
    }
    this.startMs = startMs;
  }

  private isWithin(atMs: number, nowMs: number): boolean {
    if (this.per !== 'rolling_5h' && this.per !== 'rolling_7d') return true;
    const { part, count } = PARTS[this.per];
    return Math.floor(atMs / part) > Math.floor(nowMs / part) - count;
  }
}

export function firstOver(claims: readonly ReferenceClaim[], nowMs: number): ReferenceLimit | null {
  return claims.find((claim) => !claim.limit.fits(claim, nowMs))?.limit ?? null;
}

export const reserveAll = (claims: readonly ReferenceClaim[], nowMs: number) =>
  claims.map(({ limit, asked, overdraft }) => limit.reserve(asked, overdraft, nowMs));
