// A separate program on core 0. It measures the validation of valid bodies, sends the results, and waits to be stopped.
import 'reflect-metadata';
import { median } from '../load/percentiles.js';
import { fromDist } from '../system/dist.js';

const { compileRules } = await fromDist('src/platform/validation/body-rules.js');
const { ChatCompletionRequest } = await fromDist('src/proxy/chat/chat-completion.dto.js');
const judge = compileRules(ChatCompletionRequest);

const BATCHES = 15;
const BATCH_MS = 100;

const turn = (length) => 'Tell me about gateways. '.repeat(Math.ceil(length / 24)).slice(0, length);
const messages = (count, length) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: turn(length) }));
const tool = (at) => ({
  type: 'function',
  function: {
    name: `tool_${at}`,
    description: turn(100),
    parameters: { type: 'object', properties: { place: { type: 'string' }, days: { type: 'integer' } } },
  },
});

const BODIES = {
  'one message': { model: 'gpt-4o-mini', messages: messages(1, 40) },
  'one message and ten options, streamed': {
    model: 'gpt-4o-mini',
    messages: messages(1, 40),
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.7,
    top_p: 0.9,
    max_tokens: 500,
    presence_penalty: 0,
    frequency_penalty: 0,
    n: 1,
    stop: ['END'],
    user: 'somebody',
  },
  '20 messages, 10 tools': {
    model: 'gpt-4o-mini',
    messages: messages(20, 500),
    tools: Array.from({ length: 10 }, (_, at) => tool(at)),
  },
  '100 messages, 200 KB': { model: 'gpt-4o-mini', messages: messages(100, 2000) },
};

process.on('disconnect', () => process.exit());
process.send(Object.entries(BODIES).map(([body, json]) => ({ body, us: microsecondsOf(json) })));

function microsecondsOf(body) {
  const violation = judge(body);
  if (violation !== null) throw new Error(`${violation.param}: ${violation.message}`);
  const batches = Array.from({ length: BATCHES }, () => {
    const begun = performance.now();
    let times = 0;
    for (; performance.now() - begun < BATCH_MS; times += 100) for (let i = 0; i < 100; i++) judge(body);
    return ((performance.now() - begun) / times) * 1000;
  });
  // The first batches include compilation.
  return median(batches.slice(5));
}
