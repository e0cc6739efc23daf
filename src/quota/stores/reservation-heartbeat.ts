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
  /** Whether any process holds reservations. A killed process can have left some, which only a heartbeat ends. */
  private someReserved = false;
  private beatAtMs = -Infinity;
  private connectedSinceMs = 0;

  constructor(private readonly writer: QuotaWriter) {}

  get isDue(): boolean {
    return (this.reserves || this.someReserved) && performance.now() - this.beatAtMs >= INTERVAL_MS;
  }

  /** Starts the heartbeat of this process, which can hold reservations from now on. */
  start(): void {
    this.reserves = true;
  }

  async connected(client: Client): Promise<void> {
    this.connectedSinceMs = performance.now();
    this.someReserved = await areReserved(client);
  }

  async beat(client: Client): Promise<void> {
    this.beatAtMs = performance.now();
    if (this.reserves) await this.writer.beat(client);
    if (this.beatAtMs - this.connectedSinceMs >= CONNECTED_MS_MIN) this.someReserved = await expireOne(client);
  }
}
