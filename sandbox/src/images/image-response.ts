import type { Fingerprint } from '../simulation/fingerprint.js';
import { countTokens } from '../simulation/tokens.js';
import { jsonResponse, type SandboxResponse } from '../wire/response.js';
import { namedEvent } from '../wire/event-stream.js';
import { type PictureFormat, pictureOf } from './picture.js';

const TOKENS_PER_IMAGE = 272;
const TOKENS_PER_INPUT_IMAGE = 194;

interface ImagesAsked {
  readonly model: string;
  readonly prompt: string;
  readonly count: number;
  readonly format: PictureFormat;
  readonly asUrl: boolean;
  readonly size: string;
  readonly quality: string;
  readonly background: string;
  readonly inputImages: number;
  /** The number of partial images before the final one, or null without streaming. */
  readonly partialImages: number | null;
  readonly eventName: 'image_generation' | 'image_edit';
  /** The origin of the URLs in the response, for example `http://127.0.0.1:4000`. */
  readonly origin: string;
}

/** These models report usage and image settings. Older models return only the images. */
const REPORTS_USAGE = /^gpt-image/;

export function respondToImages(asked: ImagesAsked, fingerprint: Fingerprint): SandboxResponse {
  if (asked.partialImages !== null) return { kind: 'events', frames: imageEvents(asked, fingerprint) };

  const data = Array.from({ length: asked.count }, (_, index) => imageOf(asked, fingerprint, `image ${index}`));
  const details = REPORTS_USAGE.test(asked.model) ? { ...looksOf(asked), usage: usageOf(asked, asked.count) } : {};

  return jsonResponse({ created: fingerprint.created, data, ...details });
}

function* imageEvents(asked: ImagesAsked, fingerprint: Fingerprint): Generator<string> {
  const head = { created_at: fingerprint.created, ...looksOf(asked) };
  const event = (kind: string, fields: object): string => {
    const type = `${asked.eventName}.${kind}`;

    return namedEvent(type, { type, ...fields, ...head });
  };
  const base64 = (salt: string): string => pictureOf(asked.format, fingerprint.id('', 32, salt)).toString('base64');

  for (let index = 0; index < (asked.partialImages ?? 0); index += 1) {
    yield event('partial_image', { b64_json: base64(`partial ${index}`), partial_image_index: index });
  }
  yield event('completed', { b64_json: base64('image 0'), usage: usageOf(asked, 1) });
}

function imageOf(asked: ImagesAsked, fingerprint: Fingerprint, salt: string): object {
  const seed = fingerprint.id('', 32, salt);
  const revised = REPORTS_USAGE.test(asked.model) ? {} : { revised_prompt: asked.prompt };

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
