// Sends requests at an even rate, regardless of response times. Latency counts from the planned time, so that a stall affects all
// requests that it delays. The subjects alternate in short slices, so that they run under the same conditions.
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, requestBytes } from './connection.js';
import { percentiles } from './percentiles.js';
import { atPlannedMoments } from './planned-moments.js';

const DRAIN_MS_MAX = 10_000;

export async function openLoop({ targets, rate, sliceMs, slices, warmupSlices }) {
  const runs = targets.map((target) => new Run(target));
  for (let slice = -warmupSlices; slice < slices; slice++) {
    for (const run of runs) await run.slice(rate, sliceMs, slice >= 0);
  }
  for (const run of runs) run.end();
  return Object.fromEntries(runs.map((run) => [run.name, run.figures()]));
}

class Run {
  #latencies = [];
  #firstBytes = [];
  #late = [];
  #perSlice = [];
  #idle = [];
  #all = [];
  #waiting = 0;
  #failed = 0;

  constructor({ name, port, request }) {
    this.name = name;
    this.port = port;
    this.request = requestBytes(request);
  }

  async slice(rate, sliceMs, measuring) {
    const before = [this.#latencies.length, this.#firstBytes.length];
    await atPlannedMoments(rate, Math.round((rate * sliceMs) / 1000), (plannedAt) => this.#send(plannedAt, measuring));
    for (const begun = performance.now(); this.#waiting > 0; await pause(1)) {
      if (performance.now() - begun > DRAIN_MS_MAX)
        throw new Error(`${this.name} cannot sustain ${rate} requests per second`);
    }
    if (!measuring) return;
    this.#perSlice.push({
      latency: percentiles(this.#latencies.slice(before[0])),
      firstByte: percentiles(this.#firstBytes.slice(before[1])),
    });
  }

  figures() {
    return {
      responses: this.#latencies.length,
      failures: this.#failed === 0 ? null : `${this.#failed} failed`,
      latency: percentiles(this.#latencies),
      firstByte: percentiles(this.#firstBytes),
      generatorLate: percentiles(this.#late),
      slices: this.#perSlice,
    };
  }

  end() {
    for (const connection of this.#all) connection.end();
  }

  #send(plannedAt, measuring) {
    const connection = this.#idle.pop() ?? this.#connect();
    this.#waiting++;
    connection.onResponse = ({ firstAt, status }) => {
      this.#waiting--;
      this.#idle.push(connection);
      if (status !== '200') this.#failed++;
      if (!measuring) return;
      this.#latencies.push(performance.now() - plannedAt);
      this.#firstBytes.push(firstAt - plannedAt);
    };
    if (measuring) this.#late.push(performance.now() - plannedAt);
    connection.ask(this.request, plannedAt);
  }

  #connect() {
    const connection = new Connection(this.port);
    connection.onBroken = () => this.#failed++;
    this.#all.push(connection);
    return connection;
  }
}
