// Replies of the benchmark's provider, in the vendors' formats. Built once.
const words = (bytes) => 'some words '.repeat(Math.ceil(bytes / 11)).slice(0, bytes);
const json = (value, indent) => Buffer.from(JSON.stringify(value, null, indent));

export function chatResponse(bytes) {
  return json({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o-mini',
    choices: [
      { index: 0, message: { role: 'assistant', content: words(Math.max(1, bytes - 264)) }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  });
}

const VECTORS = 1000;
const DIMENSIONS = 256;

/** 1,000 vectors of 256 numbers, one number per line as the vendor sends them: about 6 MB. */
export const embeddings = json(
  {
    object: 'list',
    data: Array.from({ length: VECTORS }, (_, index) => ({
      object: 'embedding',
      index,
      embedding: Array.from(
        { length: DIMENSIONS },
        (_, at) => Number(Math.sin(index * DIMENSIONS + at).toFixed(9)) / 10,
      ),
    })),
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 5000, total_tokens: 5000 },
  },
  2,
);

const MODELS = 500;
const named = ['gpt-4o-mini', 'text-embedding-3-small'];

export const models = json({
  object: 'list',
  data: Array.from({ length: MODELS }, (_, at) => ({
    id: named[at] ?? `vendor-${at % 20}/chat-model-${at}`,
    object: 'model',
    created: 1_700_000_000 + at,
    owned_by: `vendor-${at % 20}`,
  })),
});

export const STAMP_DIGITS = 16;
export const STAMP_MARK = '"content":"t';
const event = (value) => `data: ${JSON.stringify(value)}\n\n`;
const base = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini' };
const framed = (text) => Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`, 'latin1');

export const chunk = framed(
  event({
    ...base,
    choices: [{ index: 0, delta: { content: `t${'0'.repeat(STAMP_DIGITS)} words ` }, finish_reason: null }],
  }),
);
export const stampAt = chunk.indexOf(STAMP_MARK) + STAMP_MARK.length;

export const lastChunks = (chunks) =>
  Buffer.concat([
    framed(
      event({
        ...base,
        choices: [],
        usage: { prompt_tokens: 11, completion_tokens: chunks, total_tokens: 11 + chunks },
      }) + 'data: [DONE]\n\n',
    ),
    Buffer.from('0\r\n\r\n'),
  ]);
