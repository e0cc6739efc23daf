import type { ModelFacts } from '../registry/model-facts.js';

interface ProbeRequest {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Reasoning models return an error if the token limit leaves no room for reasoning. */
const REASONING_TOKENS = 128;
const BOUNDARY = 'gateway-probe-7MA4YWxkTrZu0gW';

/** Returns null for a realtime model, which cannot be reached over HTTP. An unknown model is probed as a chat model. */
export function probeRequest(model: string, facts: ModelFacts | null): ProbeRequest | null {
  const category = facts?.category ?? 'chat';
  switch (category) {
    case 'chat':
      return facts?.legacyBase === true
        ? json('/completions', { model, prompt: 'a', max_tokens: 1 })
        : json('/chat/completions', { model, messages: [{ role: 'user', content: 'a' }], ...tokenLimit(facts) });
    case 'ocr':
      return json('/chat/completions', { model, messages: [{ role: 'user', content: [PIXEL] }] });
    case 'embedding':
      return json('/embeddings', {
        model,
        input: 'a',
        ...(facts?.provider === 'cohere' && { input_type: 'search_query' }),
      });
    case 'image':
      return json('/images/generations', { model, prompt: 'a dot', n: 1 });
    case 'tts':
      return json('/audio/speech', { model, input: 'a', voice: 'alloy' });
    case 'transcription':
      return {
        path: '/audio/transcriptions',
        contentType: `multipart/form-data; boundary=${BOUNDARY}`,
        body: form(model),
      };
    case 'realtime':
      return null;
    default:
      return category satisfies never;
  }
}

function tokenLimit(facts: ModelFacts | null): object {
  const tokens = facts?.flags.reasoning === true ? REASONING_TOKENS : 1;
  // OpenAI's newer models reject `max_tokens`. Other providers do not support `max_completion_tokens`.
  return facts?.provider === 'openai' ? { max_completion_tokens: tokens } : { max_tokens: tokens };
}

const PIXEL = {
  type: 'image_url',
  image_url: {
    url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  },
};

function json(path: string, body: object): ProbeRequest {
  return { path, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) };
}

function form(model: string): Buffer {
  const part = (disposition: string, type = '') =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n${type}\r\n`;
  return Buffer.concat([
    Buffer.from(`${part('name="model"')}${model}\r\n`),
    Buffer.from(part('name="file"; filename="silence.wav"', 'content-type: audio/wav\r\n')),
    SILENCE,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** 0.5 s of silence. Providers require at least 0.1 s. */
const SILENCE = silence(8_000, 4_000);

function silence(samplesPerSecond: number, samples: number): Buffer {
  const wav = Buffer.alloc(44 + 2 * samples);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + 2 * samples, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16); // size of the format block
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // one channel
  wav.writeUInt32LE(samplesPerSecond, 24);
  wav.writeUInt32LE(2 * samplesPerSecond, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34); // bits per sample
  wav.write('data', 36);
  wav.writeUInt32LE(2 * samples, 40);
  return wav;
}
