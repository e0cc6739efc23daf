// The clients, over bare sockets: cheaper than any HTTP client, so that they are not what is measured.
// A forked process; takes {port, connections, path, headers, body, warmupMs, measureMs} and answers with figures.
import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

process.on('message', (plan) => void run(plan).then((figures) => process.send(figures)));
process.on('disconnect', () => process.exit());

async function run(plan) {
  const request = Buffer.from(
    [
      `POST ${plan.path} HTTP/1.1`,
      'host: 127.0.0.1',
      ...plan.headers,
      `content-length: ${Buffer.byteLength(plan.body)}`,
      '',
      plan.body,
    ].join('\r\n'),
  );
  const state = { latencies: [], firstBytes: [], failed: 0, measuring: false, stopping: false };
  const clients = Array.from({ length: plan.connections }, () => client(plan.port, request, state));
  await pause(plan.warmupMs);
  process.send('measuring');
  state.measuring = true;
  const startedAt = performance.now();
  await pause(plan.measureMs);
  state.measuring = false;
  const seconds = (performance.now() - startedAt) / 1000;
  process.send('measured');
  state.stopping = true;
  await Promise.all(clients);
  return {
    seconds,
    answers: state.latencies.length,
    failed: state.failed,
    latency: percentiles(state.latencies),
    firstByte: percentiles(state.firstBytes),
  };
}

/** One connection that asks again as soon as it has been answered. */
function client(port, request, state) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let answer = null;
    const ask = () => {
      if (state.stopping) return socket.destroy();
      answer = { startedAt: performance.now(), firstAt: 0, head: null, length: -1, received: 0, tail: Buffer.alloc(0) };
      socket.write(request);
    };
    socket.on('connect', ask);
    socket.on('data', (data) => {
      if (!take(answer, data)) return;
      if (state.measuring) {
        state.latencies.push(performance.now() - answer.startedAt);
        state.firstBytes.push(answer.firstAt - answer.startedAt);
        if (answer.status !== '200') state.failed++;
      }
      ask();
    });
    socket.on('error', () => state.failed++);
    socket.on('close', resolve);
  });
}

/** Whether `data` ends the answer. */
function take(answer, data) {
  if (answer.firstAt === 0) answer.firstAt = performance.now();
  if (answer.head === null) {
    const bytes = answer.tail.length === 0 ? data : Buffer.concat([answer.tail, data]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      answer.tail = bytes;
      return false;
    }
    answer.head = bytes.toString('latin1', 0, end);
    answer.status = answer.head.slice(9, 12);
    answer.length = Number(/\r\ncontent-length: (\d+)/i.exec(answer.head)?.[1] ?? -1);
    data = bytes.subarray(end + 4);
    // The empty line stands before a first chunk as a line end does before every other.
    answer.tail = bytes.subarray(end + 2, end + 4);
  }
  if (answer.length >= 0) {
    answer.received += data.length;
    return answer.received >= answer.length;
  }
  const tail = Buffer.concat([answer.tail, data.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length);
  answer.tail = tail;
  return tail.equals(LAST_CHUNK);
}

function percentiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
