// Opens many mostly idle streams at once, to measure the memory per stream.
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, requestBytes } from './connection.js';

const AT_ONCE = 100;
const OPEN_MS_MAX = 60_000;

export async function heldStreams({ port, connections, request, holdMs }, notify) {
  const bytes = requestBytes(request);
  const opened = [];
  const state = { begun: 0, broken: 0 };
  for (const startedAt = performance.now(); state.begun < connections; await pause(1)) {
    if (performance.now() - startedAt > OPEN_MS_MAX || state.broken > 0) break;
    if (opened.length < connections && opened.length - state.begun < AT_ONCE) opened.push(open(port, bytes, state));
  }
  await pause(holdMs);
  notify('held');
  await new Promise((resolve) => process.once('message', resolve));
  for (const connection of opened) connection.end();
  const whole = state.begun === connections && state.broken === 0;
  return {
    begun: state.begun,
    failures: whole ? null : `${state.begun} of ${connections} started, ${state.broken} broken`,
  };
}

function open(port, bytes, state) {
  const connection = new Connection(port);
  connection.onBroken = () => state.broken++;
  connection.onPiece = () => {
    connection.onPiece = null;
    state.begun++;
  };
  connection.ask(bytes);
  return connection;
}
