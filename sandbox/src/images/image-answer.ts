import type { Fingerprint } from '../simulation/fingerprint.js';
import { countTokens } from '../simulation/tokens.js';
import { jsonAnswer, type SandboxAnswer } from '../wire/answer.js';
import { namedEvent } from '../wire/event-stream.js';
import { type PictureFormat, pictureOf } from './picture.js';

const TOKENS_PER_IMAGE = 272;
const TOKENS_PER_INPUT_IMAGE = 194;

/** What the sandbox looks at in a request for images, drawn or edited. */
interface ImagesAsked {
  readonly model: string;
  readonly prompt: string;
  readonly count: number;
  readonly format: PictureFormat;
  /** A URL in place of base64. */
  readonly asUrl: boolean;
  readonly size: string;
  readonly quality: string;
  readonly background: string;
  readonly inputImages: number;
  /** How many unfinished pictures come first; null without a stream. */
  readonly partialImages: number | null;
  /** What the events are called after. */
  readonly eventName: 'image_generation' | 'image_edit';
  /** Where the answer's URLs lead, e.g. `http://127.0.0.1:4000`. */
  readonly origin: string;
}

/** Models of this family tell what they used and how they drew; the older ones give the pictures alone. */
const TALKATIVE = /^gpt-image/;

export function answerImages(asked: ImagesAsked, fingerprint: Fingerprint): SandboxAnswer {
  if (asked.partialImages !== null) return { kind: 'events', frames: imageEvents(asked, fingerprint) };

  const data = Array.from({ length: asked.count }, (_, index) => imageOf(asked, fingerprint, `image ${index}`));
  const told = TALKATIVE.test(asked.model) ? { ...looksOf(asked), usage: usageOf(asked, asked.count) } : {};

  return jsonAnswer({ created: fingerprint.created, data, ...told });
}

function* imageEvents(asked: ImagesAsked, fingerprint: Fingerprint): Generator<string> {
  const head = { created_at: fingerprint.created, ...looksOf(asked) };
  const event = (kind: string, members: object): string => {
    const type = `${asked.eventName}.${kind}`;

    return namedEvent(type, { type, ...members, ...head });
  };
  const base64 = (salt: string): string => pictureOf(asked.format, fingerprint.id('', 32, salt)).toString('base64');

  for (let index = 0; index < (asked.partialImages ?? 0); index += 1) {
    yield event('partial_image', { b64_json: base64(`partial ${index}`), partial_image_index: index });
  }
  yield event('completed', { b64_json: base64('image 0'), usage: usageOf(asked, 1) });
}

function imageOf(asked: ImagesAsked, fingerprint: Fingerprint, salt: string): object {
  const seed = fingerprint.id('', 32, salt);
  const revised = TALKATIVE.test(asked.model) ? {} : { revised_prompt: asked.prompt };

  if (asked.asUrl) return { url: `${asked.origin}/sandbox/images/${seed}.${asked.format}`, ...revised };
  return { b64_json: pictureOf(asked.format, seed).toString('base64'), ...revised };
}

function looksOf({ background, format, quality, size }: ImagesAsked): object {
  return { background, output_format: format, quality, size };
}

function usageOf({ prompt, inputImages }: ImagesAsked, count: number): object {
  const text = countTokens(prompt);
  const images = inputImages * TOKENS_PER_INPUT_IMAGE;
  const output = count * TOKENS_PER_IMAGE;

  return {
    input_tokens: text + images,
    input_tokens_details: { text_tokens: text, image_tokens: images },
    output_tokens: output,
    total_tokens: text + images + output,
  };
}
