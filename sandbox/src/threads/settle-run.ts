import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { simulate } from '../simulation/simulate.js';
import { promptTokens, type Turn } from '../simulation/turn.js';
import type { Run } from './run.js';
import { textContent, turnOf } from './thread-message.js';
import { addMessage, messagesOf } from './threads.route.js';

/** Completes a waiting run and adds the assistant's message to its thread. Other runs stay unchanged. */
export function settleRun(memory: SandboxMemory, run: Run): Run {
  if (run.status !== 'queued') return run;

  const { instructions } = run.settings;
  const said = messagesOf(memory, run.threadId).map(turnOf);
  const turns: Turn[] = [{ role: 'system', text: instructions, attachments: 0, toolCalls: '' }, ...said];
  const { tokens } = simulate({
    turns,
    tools: [],
    mustCall: false,
    parallel: false,
    format: 'text',
    stop: [],
    tokensMax: null,
  });
  const prompt = promptTokens(turns, '');
  const message = addMessage(memory, run.threadId, {
    role: 'assistant',
    content: [textContent(tokens.join(''))],
    assistant_id: run.assistantId,
    run_id: run.id,
    metadata: {},
    attachments: [],
  });
  const usage = { prompt_tokens: prompt, completion_tokens: tokens.length, total_tokens: prompt + tokens.length };

  return keepRun(memory, { ...run, status: 'completed', messageId: message.id, usage });
}

export function keepRun(memory: SandboxMemory, run: Run): Run {
  return memory.runs.put(run, JSON.stringify(run).length);
}
