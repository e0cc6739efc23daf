import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Reply, Turn } from '../provider/turn.js';
import type { Agent } from './agent.js';
import { AgentBench, type AgentRun, type Task } from './agent-bench.js';
import { AGENTS } from './agents.data.js';

const MS_MAX = 300_000;
/** More requests than any agent needs. An agent in a retry loop soon exceeds it. */
const TURNS_MAX = 8;
const RESPONSE = 'The file has been written, and every word of this sentence came in an event of its own.';
/** 90 KB, so that the agent has a reason to compact the conversation. */
const BACKGROUND = 'lorem ipsum dolor sit amet '.repeat(3_300);

let bench: AgentBench;
const results: string[] = [];

beforeAll(async () => {
  bench = await AgentBench.start();
});
afterAll(async () => {
  await bench?.stop();
  console.log(results.join('\n'));
});

const prompt = (file: string) => `Write the word forty-two to the file ${file}.`;

/** Whether the turn belongs to the task itself, not to a title or a summary. */
const isMain = (agent: Agent, turn: Turn) => turn.tools.includes(agent.write('', '').name) && !turn.compacts;

function writeThenAnswer(agent: Agent): Task['script'] {
  return (turn, file) =>
    isMain(agent, turn) && turn.toolResults === 0
      ? { kind: 'tool', ...agent.write(file, 'forty-two') }
      : { kind: 'text', text: RESPONSE };
}

/** Returns 400 until the agent has compacted the conversation. */
function overflow(agent: Agent): Task['script'] {
  let refused = false;
  let compacted = false;
  return (turn) => {
    if (!isMain(agent, turn)) {
      compacted = refused;
      return { kind: 'text', text: 'The user wants a file.' };
    }
    if (compacted) return { kind: 'text', text: RESPONSE };
    refused = true;
    return { kind: 'error', status: 400, body: OVERFLOW[turn.api] };
  };
}

const TOO_LONG =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 212345 tokens. Please reduce the length of the messages.";
const openAiError = (message: string, type: string, code: string) => ({ error: { message, type, param: null, code } });
const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const OVERFLOW = {
  chat: openAiError(TOO_LONG, 'invalid_request_error', 'context_length_exceeded'),
  responses: openAiError(TOO_LONG, 'invalid_request_error', 'context_length_exceeded'),
  messages: anthropicError('invalid_request_error', 'prompt is too long: 212345 tokens > 200000 maximum'),
};
const LIMITED = {
  chat: openAiError('Rate limit reached', 'rate_limit_error', 'rate_limit_exceeded'),
  responses: openAiError('Rate limit reached', 'rate_limit_error', 'rate_limit_exceeded'),
  messages: anthropicError('rate_limit_error', 'Rate limited'),
};

function limitedOnce(agent: Agent): Task['script'] {
  let limited = false;
  return (turn, file): Reply => {
    if (limited || !isMain(agent, turn)) return writeThenAnswer(agent)(turn, file);
    limited = true;
    return { kind: 'error', status: 429, headers: { 'retry-after': '2' }, body: LIMITED[turn.api] };
  };
}

function longConversation(agent: Agent): Task['script'] {
  let called = false;
  return (turn, file): Reply => {
    const inputTokens = agent.compaction!.inputTokens;
    if (!isMain(agent, turn)) return { kind: 'text', text: 'The user wants a file.', inputTokens };
    if (called) return { kind: 'text', text: RESPONSE };
    called = true;
    return { kind: 'tool', ...agent.write(file, 'forty-two'), inputTokens };
  };
}

/** Whether a turn after the first asks for a summary or a compacted conversation. */
const hasCompacted = ({ turns }: AgentRun) =>
  turns.slice(1).some(({ compacts, lastMessage }) => compacts || /summar|state_snapshot/i.test(lastMessage));

function expectDone({ code, timedOut, file, output }: AgentRun): void {
  // On failure, the assertion shows the agent's output.
  expect(code === 0 ? '' : output).toBe('');
  expect({ code, timedOut, file }).toEqual({ code: 0, timedOut: false, file: 'forty-two' });
}

function record(agent: Agent, task: string, { turns, statuses, recorded, tookMs }: AgentRun): void {
  const { input, output } = bench.provider.reported;
  const gateway = `${recorded?.requests} requests, ${recorded?.input_tokens} + ${recorded?.output_tokens} tokens`;
  results.push(
    `${agent.name}, ${task}: ${turns.length} turns (${statuses.join(' ')}) in ${tookMs} ms; provider ${input} + ${output} tokens; gateway ${gateway}`,
  );
}

function expectSameTokens({ recorded }: AgentRun): void {
  const { input, output } = bench.provider.reported;
  expect(recorded).toMatchObject({ input_tokens: input, output_tokens: output });
}

describe.each(AGENTS)('$name', (agent) => {
  test(
    'the agent calls a tool and prints the streamed response, and its tokens are recorded',
    async () => {
      const run = await bench.run(agent, { prompt, script: writeThenAnswer(agent) });
      record(agent, 'tool call', run);
      expectDone(run);
      expect(run.output).toContain(RESPONSE);
      expect(run.output).not.toContain('Reconnecting');
      expect(new Set(run.statuses)).toEqual(new Set([200]));
      expectSameTokens(run);
    },
    MS_MAX,
  );

  test(
    'the agent reacts to a context overflow with the same requests as without the gateway',
    async () => {
      const direct = await bench.run(agent, { prompt, script: overflow(agent), direct: true });
      const run = await bench.run(agent, { prompt, script: overflow(agent) });
      record(agent, 'context overflow', run);
      expect({ about: run.output, value: run.timedOut }).toEqual({ about: run.output, value: false });
      expect({ about: run.output, value: run.statuses }).toEqual({ about: run.output, value: direct.statuses });
      expect(run.code).toBe(direct.code);
      expect(run.turns.length).toBeLessThanOrEqual(TURNS_MAX);
      expectSameTokens(run);
    },
    MS_MAX,
  );

  test(
    'the agent waits for the Retry-After of a 429 and then completes its task',
    async () => {
      const run = await bench.run(agent, { prompt, script: limitedOnce(agent) });
      record(agent, '429', run);
      expectDone(run);
      const at = run.statuses.indexOf(429);
      expect(run.atMs[at + 1]! - run.atMs[at]!).toBeGreaterThan(1_500);
      expect(run.turns.length).toBeLessThanOrEqual(TURNS_MAX);
      expectSameTokens(run);
    },
    MS_MAX,
  );

  (agent.compaction ? test : test.skip)(
    'the agent compacts a long conversation and completes its task',
    async () => {
      const run = await bench.run(agent, {
        prompt: (file) => `${prompt(file)} Background: ${BACKGROUND}`,
        script: longConversation(agent),
        then: agent.compaction?.command,
      });
      record(agent, 'compaction', run);
      expectDone(run);
      expect(hasCompacted(run)).toBe(true);
      expect(run.turns.length).toBeLessThanOrEqual(TURNS_MAX);
      expectSameTokens(run);
    },
    MS_MAX,
  );
});
