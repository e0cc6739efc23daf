// Streams that are open all at once and say little: what one costs in memory.
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, requestBytes } from './connection.js';

const AT_ONCE = 100;
const OPEN_MS_MAX = 60_000;

/** @param plan `{port, connections, request, holdMs}`; tells `held` when every stream has begun and been held */
export async function heldStreams({ port, connections, request, holdMs }, tell) {
  const bytes = requestBytes(request);
  const opened = [];
  const state = { begun: 0, broken: 0 };
  for (const startedAt = performance.now(); state.begun < connections; await pause(1)) {
    if (performance.now() - startedAt > OPEN_MS_MAX || state.broken > 0) break;
    if (opened.length < connections && opened.length - state.begun < AT_ONCE) opened.push(open(port, bytes, state));
  }
  await pause(holdMs);
  tell('held');
  await new Promise((resolve) => process.once('message', resolve));
  for (const connection of opened) connection.end();
  const whole = state.begun === connections && state.broken === 0;
  return {
    begun: state.begun,
    failures: whole ? null : `${state.begun} of ${connections} begun, ${state.broken} broken`,
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
