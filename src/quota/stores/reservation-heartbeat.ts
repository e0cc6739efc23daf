import type { Client } from 'pg';
import { areReserved, expireOne } from './limit-settlement.sql.js';
import type { QuotaWriter } from './quota-writer.js';

const INTERVAL_MS = 3000;
/** After an outage, the other processes get this time to show that they are alive. */
const CONNECTED_MS_MIN = 15_000;

/**
 * Shows every 3 s that this process is alive, and ends the reservations of processes without a heartbeat for 15 s. It runs only if
 * there are limits.
 */
export class ReservationHeartbeat {
  private reserves = false;
  /** Processes that were killed can have left reservations. Without requests under limits, no other process would end them. */
  private othersReserved = false;
  private beatAtMs = -Infinity;
  private connectedSinceMs = 0;

  constructor(private readonly writer: QuotaWriter) {}

  get isDue(): boolean {
    return (this.reserves || this.othersReserved) && performance.now() - this.beatAtMs >= INTERVAL_MS;
  }

  /** Whether there are or were limits, so that this process can hold reservations. */
  start(): void {
    this.reserves = true;
  }

  async connected(client: Client): Promise<void> {
    this.connectedSinceMs = performance.now();
    this.othersReserved = await areReserved(client);
  }

  async beat(client: Client): Promise<void> {
    this.beatAtMs = performance.now();
    if (this.reserves) await this.writer.beat(client);
    if (this.beatAtMs - this.connectedSinceMs >= CONNECTED_MS_MIN) this.othersReserved = await expireOne(client);
  }
}
