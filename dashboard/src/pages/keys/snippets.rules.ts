import type { CodeExample } from '../../parts/code-examples';

interface Call {
  /** The gateway's origin, without a trailing slash. */
  readonly origin: string;
  readonly secret: string;
  readonly chatModel: string;
  readonly messagesModel: string;
}

/** Returns runnable example requests. The Anthropic SDKs add `/v1` themselves. */
export function snippetsOf(call: Call): readonly CodeExample[] {
  return [
    { id: 'curl', label: 'curl', install: null, code: curl(call) },
    { id: 'openai-ts', label: 'OpenAI, TypeScript', install: 'npm i openai', code: openaiTypeScript(call) },
    { id: 'openai-py', label: 'OpenAI, Python', install: 'pip install openai', code: openaiPython(call) },
    {
      id: 'anthropic-ts',
      label: 'Anthropic, TypeScript',
      install: 'npm i @anthropic-ai/sdk',
      code: anthropicTypeScript(call),
    },
    { id: 'anthropic-py', label: 'Anthropic, Python', install: 'pip install anthropic', code: anthropicPython(call) },
  ];
}

/** JSON string literals are also valid in TypeScript and Python. */
const quoted = (text: string): string => JSON.stringify(text);
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curl({ origin, secret, chatModel }: Call): string {
  const body = { model: chatModel, messages: [{ role: 'user', content: 'Hello!' }] };
  return `curl ${shell(`${origin}/v1/chat/completions`)} \\
  -H ${shell(`Authorization: Bearer ${secret}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${shell(JSON.stringify(body))}`;
}

const openaiTypeScript = ({ origin, secret, chatModel }: Call): string => `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${quoted(`${origin}/v1`)},
  apiKey: ${quoted(secret)},
});

const completion = await client.chat.completions.create({
  model: ${quoted(chatModel)},
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(completion.choices[0]?.message.content);`;

const openaiPython = ({ origin, secret, chatModel }: Call): string => `from openai import OpenAI

client = OpenAI(
    base_url=${quoted(`${origin}/v1`)},
    api_key=${quoted(secret)},
)

completion = client.chat.completions.create(
    model=${quoted(chatModel)},
    messages=[{"role": "user", "content": "Hello!"}],
)
print(completion.choices[0].message.content)`;

const anthropicTypeScript = ({
  origin,
  secret,
  messagesModel,
}: Call): string => `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: ${quoted(origin)},
  apiKey: ${quoted(secret)},
});

const message = await client.messages.create({
  model: ${quoted(messagesModel)},
  max_tokens: 200,
  messages: [{ role: 'user', content: 'Hello!' }],
});
console.log(message.content);`;

const anthropicPython = ({ origin, secret, messagesModel }: Call): string => `from anthropic import Anthropic

client = Anthropic(
    base_url=${quoted(origin)},
    api_key=${quoted(secret)},
)

message = client.messages.create(
    model=${quoted(messagesModel)},
    max_tokens=200,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(message.content)`;
