import type { Client } from 'pg';
import { expireOne } from './limit-settlement.sql.js';
import type { QuotaWriter } from './quota-writer.js';

const INTERVAL_MS = 3000;
/** After an outage, the other processes get this time to show that they are alive. */
const CONNECTED_MS_MIN = 15_000;

/**
 * Shows every 3 s that this process is alive, and ends the reservations of processes without a heartbeat for 15 s. It runs only if
 * there are limits.
 */
export class ReservationHeartbeat {
  private inUse = false;
  private beatAtMs = -Infinity;
  private connectedSinceMs = 0;

  constructor(private readonly writer: QuotaWriter) {}

  get isDue(): boolean {
    return this.inUse && performance.now() - this.beatAtMs >= INTERVAL_MS;
  }

  /** Whether there are or were limits, so that processes can hold reservations. */
  start(): void {
    this.inUse = true;
  }

  connected(): void {
    this.connectedSinceMs = performance.now();
  }

  async beat(client: Client): Promise<void> {
    this.beatAtMs = performance.now();
    await this.writer.beat(client);
    if (this.beatAtMs - this.connectedSinceMs >= CONNECTED_MS_MIN) await expireOne(client);
  }
}
