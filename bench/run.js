// npm run bench: the gateway with everything on, beside a bare proxy and @fastify/http-proxy, in turn, against one upstream.
// Ratios count, not figures: machines are shared and noisy. BENCH_SECONDS and BENCH_ROUNDS make it longer.
import { once } from 'node:events';
import { cpuSeconds, forkOn, freePort, otherCores, startGateway, startPlain } from './subjects.js';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const chat = (stream) =>
  JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Tell me about gateways.' }],
    ...(stream ? { stream: true } : {}),
  });

const SCENARIOS = [
  { name: 'buffered, 1 KB, 64 connections', connections: 64, body: chat(false), unit: 'request' },
  { name: '100 streams of 200 chunks', connections: 100, body: chat(true), unit: 'stream' },
];

const upstreamPort = await freePort();
const upstream = forkOn(otherCores(), 'bench/upstream.js', [String(upstreamPort)]);
await once(upstream, 'message');
const load = forkOn(otherCores(), 'bench/load.js', []);
const subjects = {
  'bare proxy': await startPlain('bench/bare-proxy.js', upstreamPort),
  '@fastify/http-proxy': await startPlain('bench/fastify-http-proxy.js', upstreamPort),
  gateway: await startGateway(upstreamPort),
};
console.log(`Gateway on ${subjects.gateway.database}; ${ROUNDS} rounds of ${SECONDS} s each, in turn; medians.\n`);
try {
  for (const scenario of SCENARIOS) report(scenario, await measure(scenario));
} finally {
  for (const subject of Object.values(subjects)) await subject.stop();
  load.disconnect();
  upstream.disconnect();
}

async function measure(scenario) {
  const results = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      // The first round of a process is spent on compiling its hot paths.
      results[name].push(await measureOnce(scenario, subject, round === 0 ? SECONDS : 1));
    }
  }
  return results;
}

async function measureOnce({ connections, body }, { port, pid, headers }, warmupSeconds) {
  load.send({
    port,
    connections,
    path: '/v1/chat/completions',
    headers: ['content-type: application/json', ...headers],
    body,
    warmupMs: warmupSeconds * 1000,
    measureMs: SECONDS * 1000,
  });
  await until('measuring');
  const before = cpuSeconds(pid);
  await until('measured');
  const cpu = before === null ? null : cpuSeconds(pid) - before;
  const figures = await until(Object);
  if (figures.failed > 0) throw new Error(`${figures.failed} of ${figures.answers} answers failed`);
  return {
    ...figures,
    rate: figures.answers / figures.seconds,
    cpuUs: cpu === null ? Number.NaN : (cpu / figures.answers) * 1e6,
  };
}

async function until(what) {
  for (;;) {
    const [message] = await once(load, 'message');
    if (message === what || (what === Object && typeof message === 'object')) return message;
  }
}

function report({ name, unit }, results) {
  const rows = Object.entries(results).map(([subject, rounds]) => {
    const of = (pick) => median(rounds.map(pick));
    return {
      subject,
      rate: of((r) => r.rate),
      p50: of((r) => r.latency.p50),
      p99: of((r) => r.latency.p99),
      first: of((r) => r.firstByte.p50),
      cpu: of((r) => r.cpuUs),
    };
  });
  const bare = rows.find((row) => row.subject === 'bare proxy');
  console.log(`${name}\n`);
  console.log(
    `${'subject'.padEnd(22)}${[`${unit}s/s`, 'p50 ms', 'p99 ms', 'first byte', `CPU µs/${unit}`, 'rate÷bare', 'CPU÷bare'].map((head) => head.padStart(15)).join('')}`,
  );
  for (const row of rows) {
    const cells = [
      row.rate.toFixed(0),
      row.p50.toFixed(2),
      row.p99.toFixed(2),
      row.first.toFixed(2),
      row.cpu.toFixed(0),
      (row.rate / bare.rate).toFixed(2),
      (row.cpu / bare.cpu).toFixed(2),
    ];
    console.log(row.subject.padEnd(22) + cells.map((cell) => cell.padStart(15)).join(''));
  }
  const spread = ratios(results.gateway, results['bare proxy']);
  const other = ratios(results.gateway, results['@fastify/http-proxy']);
  console.log(
    `\ngateway ÷ bare proxy, round by round: ${spread.join(', ')}; ÷ @fastify/http-proxy: ${other.join(', ')}\n`,
  );
}

function ratios(ours, theirs) {
  return ours.map((round, at) => (round.rate / theirs[at].rate).toFixed(2));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
