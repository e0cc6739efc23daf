// Maximum throughput: each connection sends its next request as soon as it has received a response.
import { setTimeout as pause } from 'node:timers/promises';
import { STAMP_DIGITS, STAMP_MARK } from '../provider/responses.data.js';
import { Connection, requestBytes } from './connection.js';
import { percentiles } from './percentiles.js';
import { steadyMicroseconds } from './steady-clock.js';

const MARK = Buffer.from(STAMP_MARK);

/** @param plan `{port, connections, request, stamped, warmupMs, measureMs}`; `stamped`: chunks contain their time of writing */
export async function closedLoop(plan, notify) {
  const state = { latencies: [], firstBytes: [], chunkDelays: [], statuses: {}, broken: 0, measuring: false };
  const request = requestBytes(plan.request);
  const connections = Array.from({ length: plan.connections }, () => client(plan, request, state));
  await pause(plan.warmupMs);
  state.measuring = true;
  notify('measuring');
  const startedAt = performance.now();
  await pause(plan.measureMs);
  state.measuring = false;
  const seconds = (performance.now() - startedAt) / 1000;
  notify('measured');
  for (const connection of connections) connection.end();
  return {
    seconds,
    responses: state.latencies.length,
    failures: failuresOf(state),
    latency: percentiles(state.latencies),
    firstByte: percentiles(state.firstBytes),
    chunkDelay: plan.stamped ? percentiles(state.chunkDelays) : null,
  };
}

function client({ port, stamped }, request, state) {
  const connection = new Connection(port);
  connection.onFirst = (ms) => state.measuring && state.firstBytes.push(ms);
  connection.onResponse = ({ startedAt, status }) => {
    if (status !== '200') state.statuses[status] = (state.statuses[status] ?? 0) + 1;
    if (state.measuring) state.latencies.push(performance.now() - startedAt);
    connection.ask(request);
  };
  connection.onBroken = () => state.broken++;
  if (stamped) connection.onPiece = (data) => state.measuring && noteDelay(state, data);
  connection.ask(request);
  return connection;
}

function noteDelay(state, data) {
  const at = data.lastIndexOf(MARK) + MARK.length;
  if (at < MARK.length || at + STAMP_DIGITS > data.length) return;
  state.chunkDelays.push((steadyMicroseconds() - Number(data.latin1Slice(at, at + STAMP_DIGITS))) / 1000);
}

function failuresOf({ statuses, broken }) {
  const list = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  if (broken > 0) list.push(`${broken} connections broken`);
  return list.length === 0 ? null : list.join(', ');
}
