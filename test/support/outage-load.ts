import { setTimeout as pause } from 'node:timers/promises';
import type { GatewayProcess } from './gateway-process.js';
import type { TestGateway } from './gateway.js';

/** A request takes about as long. Without pauses, the clients would use all of the CPU time until an outage is over. */
const PAUSE_MS = 5;

export type Gateway = GatewayProcess | TestGateway;

/** Clients with one key that send requests to all gateways continuously. */
export class OutageLoad {
  longestMs = 0;
  private readonly counts = new Map<number, number>();
  private stopped = false;
  private readonly clients: Promise<void>[];

  constructor(gateways: readonly Gateway[], key: string, clientsEach = 2) {
    this.clients = gateways.flatMap((gateway) => Array.from({ length: clientsEach }, () => this.ask(gateway, key)));
  }

  get served(): number {
    return this.counts.get(200) ?? 0;
  }

  get statuses(): number[] {
    return [...this.counts.keys()].sort();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async ask(gateway: Gateway, key: string): Promise<void> {
    while (!this.stopped) {
      const beganAtMs = performance.now();
      const { status } = await gateway.chat(key);
      this.longestMs = Math.max(this.longestMs, performance.now() - beganAtMs);
      this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
      await pause(PAUSE_MS);
    }
  }
}
