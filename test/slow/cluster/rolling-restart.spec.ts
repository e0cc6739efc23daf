import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

const CLIENTS = 6;
const REQUEST_EACH_MS = 20;
const PROBE_EACH_MS = 100;

interface Usage {
  readonly this_month: { readonly requests: { readonly used: number } };
}

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;

beforeAll(async () => {
  [upstream, scratch] = await Promise.all([startUpstream(), createScratchDatabase()]);
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await scratch.drop();
});

/** The drain delay exceeds the duration of two probes of the balancer, even on a busy machine. */
const start = () =>
  GatewayProcess.start({ DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url, GW_DRAIN_DELAY_SECONDS: '3' });

test('a rolling restart under load loses no request and counts each one once', async () => {
  const balancer = new Balancer(await Promise.all([start(), start()]));
  const { key } = await balancer.any().createKey();
  const clients = Array.from({ length: CLIENTS }, (_, i) => new CallingClient(balancer, key, i % 2 === 0));
  try {
    for (const old of [...balancer.instances]) {
      const servedBefore = total(clients);
      await until(() => total(clients) > servedBefore + 20);
      const [end] = await Promise.all([old.stop(), start().then((fresh) => balancer.instances.push(fresh))]);
      expect(end).toEqual({ code: 0, signal: null });
      balancer.instances.splice(balancer.instances.indexOf(old), 1);
    }
  } finally {
    await Promise.all(clients.map((client) => client.stop()));
    balancer.stop();
  }
  expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
  const usage = await balancer.any().call<Usage>('GET', '/v1/usage', { key });
  expect(usage.body.this_month.requests.used).toBe(total(clients));
});

const total = (clients: readonly CallingClient[]): number => clients.reduce((sum, { served }) => sum + served, 0);

/** Selects only instances whose last readiness probe succeeded, as a load balancer does. */
class Balancer {
  private ready: GatewayProcess[];
  private readonly probes: NodeJS.Timeout;
  private next = 0;

  constructor(readonly instances: GatewayProcess[]) {
    this.ready = [...instances];
    this.probes = setInterval(() => void this.probe(), PROBE_EACH_MS);
  }

  any(): GatewayProcess {
    this.next += 1;
    return this.ready[this.next % this.ready.length]!;
  }

  stop(): void {
    clearInterval(this.probes);
  }

  private async probe(): Promise<void> {
    const instances = [...this.instances];
    const responses = await Promise.all(
      instances.map((instance) =>
        instance.call('GET', '/health/ready').then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    const ready = instances.filter((_, i) => responses[i] === 200);
    if (ready.length > 0) this.ready = ready;
  }
}

class CallingClient {
  served = 0;
  readonly failures: string[] = [];
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly balancer: Balancer,
    private readonly key: string,
    private readonly streams: boolean,
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        const response = await fetch(`${this.balancer.any().url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'gpt-4o-mini',
            messages: [{ role: 'user', content: 'Hello' }],
            stream: this.streams,
          }),
        });
        const text = await response.text();
        const whole = this.streams ? text.endsWith('data: [DONE]\n\n') : text.startsWith('{');
        if (response.status === 200 && whole) this.served += 1;
        else this.failures.push(`${response.status} ${text.slice(0, 200)}`);
      } catch (error) {
        this.failures.push(String((error as Error).cause ?? error));
      }
      await pause(REQUEST_EACH_MS);
    }
  }
}
