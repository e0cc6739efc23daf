import { Config } from '../../src/platform/config/config.js';
import { listenForMetrics } from '../../src/start/metrics-server.js';
import { readMetricsOf } from '../../src/start/metrics-sources.js';
import { until } from './until.js';
import type { TestGateway } from './gateway.js';
import { startGateway } from './ready-gateway.js';

type Labels = Readonly<Record<string, string>>;

interface Line {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** The metrics at one time, as Prometheus reads them. */
class Scrape {
  readonly lines: readonly Line[];

  constructor(readonly text: string) {
    this.lines = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(lineOf);
  }

  /** Returns the sum over all series of `name` with these labels, or 0 if there are none. */
  sum(name: string, labels: Labels = {}): number {
    return this.of(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  of(name: string, labels: Labels = {}): readonly Line[] {
    const wanted = Object.entries(labels);
    return this.lines.filter(
      (line) => line.name === name && wanted.every(([key, value]) => line.labels[key] === value),
    );
  }

  valuesOf(label: string): Set<string> {
    return new Set(this.lines.flatMap(({ labels }) => (labels[label] === undefined ? [] : [labels[label]])));
  }
}

function lineOf(line: string): Line {
  const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, key = '', text = '']) => [key, text] as const,
  );
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}

export interface MeteredGateway {
  readonly gateway: TestGateway;
  readonly metricsUrl: string;
  scrape(): Promise<Scrape>;
  scrapedUntil(isSo: (scrape: Scrape) => boolean): Promise<Scrape>;
  /** Returns how much `call` adds to a counter, after waiting until it has increased. */
  added(name: string, labels: Labels, call: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the whole application with its metrics on a separate port, as in production. */
export async function startMetered(...given: Parameters<typeof startGateway>): Promise<MeteredGateway> {
  const [env = {}, more] = given;
  const gateway = await startGateway({ GW_METRICS_PORT: '0', ...env }, more);
  const metrics = readMetricsOf(gateway.app);
  const listener = await listenForMetrics(gateway.app.get(Config), metrics);
  const scrape = async () => new Scrape(await (await fetch(listener.url)).text());
  const scrapedUntil = async (isSo: (scrape: Scrape) => boolean) => {
    let last = await scrape();
    await until(async () => isSo((last = await scrape())));
    return last;
  };
  return {
    gateway,
    metricsUrl: listener.url,
    scrape,
    scrapedUntil,
    added: async (name, labels, call) => {
      const before = (await scrape()).sum(name, labels);
      await call();
      // A response is counted when its connection has accepted the last bytes, which can be after the client has read them.
      return (await scrapedUntil((now) => now.sum(name, labels) > before)).sum(name, labels) - before;
    },
    stop: async () => {
      await gateway.stop();
      await listener.stop();
    },
  };
}
