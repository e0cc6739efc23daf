import type { Assistant } from '../assistants/assistant.js';
import { arrayOr, objectOr, optionalString } from '../wire/fields.js';
import type { JsonObject } from '../wire/json-object.js';

const SECONDS_TO_EXPIRY = 600;

export interface Run {
  readonly id: string;
  readonly threadId: string;
  readonly assistantId: string;
  readonly createdAt: number;
  readonly status: 'queued' | 'completed' | 'cancelled';
  /** The message that the run created, or null unless it is completed. */
  readonly messageId: string | null;
  readonly usage: JsonObject | null;
  readonly settings: JsonObject & { readonly model: string; readonly instructions: string };
}

export function newRun(
  { id, createdAt, threadId }: Pick<Run, 'id' | 'createdAt' | 'threadId'>,
  assistant: Assistant,
  asked: JsonObject,
): Run {
  return {
    id,
    threadId,
    assistantId: assistant.id,
    createdAt,
    status: 'queued',
    messageId: null,
    usage: null,
    settings: {
      model: optionalString(asked, 'model') ?? assistant.model,
      instructions: optionalString(asked, 'instructions') ?? assistant.instructions ?? '',
      tools: 'tools' in asked ? arrayOr(asked.tools) : assistant.tools,
      metadata: objectOr(asked.metadata, {}),
      temperature: asked.temperature ?? assistant.temperature,
      top_p: asked.top_p ?? assistant.top_p,
      max_prompt_tokens: asked.max_prompt_tokens ?? null,
      max_completion_tokens: asked.max_completion_tokens ?? null,
      truncation_strategy: asked.truncation_strategy ?? { type: 'auto', last_messages: null },
      tool_choice: asked.tool_choice ?? 'auto',
      parallel_tool_calls: asked.parallel_tool_calls ?? true,
      response_format: asked.response_format ?? assistant.response_format,
    },
  };
}

export function runObject(
  run: Run,
  status: Run['status'] | 'in_progress' = run.status,
): { readonly id: string; readonly [field: string]: unknown } {
  const { id, threadId, assistantId, createdAt, usage, settings } = run;
  const waiting = status === 'queued' || status === 'in_progress';

  return {
    id,
    object: 'thread.run',
    created_at: createdAt,
    thread_id: threadId,
    assistant_id: assistantId,
    status,
    started_at: status === 'queued' ? null : createdAt,
    expires_at: waiting ? createdAt + SECONDS_TO_EXPIRY : null,
    cancelled_at: status === 'cancelled' ? createdAt : null,
    completed_at: status === 'completed' ? createdAt : null,
    failed_at: null,
    last_error: null,
    required_action: null,
    incomplete_details: null,
    ...settings,
    usage: status === 'completed' ? usage : null,
  };
}

export function runSteps(run: Run, status: 'in_progress' | 'completed' = 'completed'): StepObject[] {
  if (run.messageId === null) return [];
  return [
    {
      id: run.id.replace('run_', 'step_'),
      object: 'thread.run.step',
      created_at: run.createdAt,
      run_id: run.id,
      thread_id: run.threadId,
      assistant_id: run.assistantId,
      type: 'message_creation',
      status,
      step_details: { type: 'message_creation', message_creation: { message_id: run.messageId } },
      last_error: null,
      expired_at: null,
      cancelled_at: null,
      failed_at: null,
      completed_at: status === 'completed' ? run.createdAt : null,
      metadata: {},
      usage: status === 'completed' ? run.usage : null,
    },
  ];
}

interface StepObject {
  readonly id: string;
  readonly [field: string]: unknown;
}
