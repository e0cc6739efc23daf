import { arrayOr, objectOr, optionalString } from '../wire/fields.js';
import type { JsonObject } from '../wire/json-object.js';

export interface Assistant {
  readonly id: string;
  readonly object: 'assistant';
  readonly created_at: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly model: string;
  readonly instructions: string | null;
  readonly tools: readonly unknown[];
  readonly tool_resources: JsonObject;
  readonly file_ids: readonly unknown[];
  readonly metadata: JsonObject;
  readonly [field: string]: unknown;
}

const SETTINGS = ['temperature', 'top_p', 'response_format', 'reasoning_effort'] as const;
const TEXTS = ['name', 'description', 'instructions'] as const;

export function newAssistant(id: string, createdAt: number, model: string, asked: JsonObject): Assistant {
  return changedAssistant(
    {
      id,
      object: 'assistant',
      created_at: createdAt,
      name: null,
      description: null,
      model,
      instructions: null,
      tools: [],
      tool_resources: {},
      file_ids: [],
      metadata: {},
      temperature: 1,
      top_p: 1,
      response_format: 'auto',
      reasoning_effort: null,
    },
    asked,
  );
}

export function changedAssistant(assistant: Assistant, asked: JsonObject): Assistant {
  const texts = TEXTS.filter((name) => name in asked).map((name) => [name, optionalString(asked, name)]);
  const settings = SETTINGS.filter((name) => name in asked).map((name) => [name, asked[name]]);

  return {
    ...assistant,
    ...(Object.fromEntries([...texts, ...settings]) as Partial<Assistant>),
    model: optionalString(asked, 'model') ?? assistant.model,
    tools: 'tools' in asked ? arrayOr(asked.tools) : assistant.tools,
    tool_resources: objectOr(asked.tool_resources, assistant.tool_resources),
    metadata: objectOr(asked.metadata, assistant.metadata),
  };
}
