import type { IncomingHttpHeaders } from 'node:http';

import { requireModel } from '../models/require-model.js';
import { Form } from '../multipart/form.js';
import type { SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalCount, optionalOneOf, optionalString, requiredString } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { invalidValue, missingParameter, unknownUrl } from '../wire/vendor-error.js';
import { respondToImages } from './image-response.js';
import { PICTURE_FORMATS, pictureOf } from './picture.js';

export const IMAGES_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/images/generations', handle: generateImages },
  { method: 'POST', path: '/v1/images/edits', handle: editImages },
  { method: 'POST', path: '/v1/images/variations', handle: varyImage },
  { method: 'GET', path: '/sandbox/images/{seed}.{format}', handle: drawnImage, open: true },
];

const COUNT_MAX = 10;
const MODEL_DEFAULT = 'gpt-image-1';
const RESPONSE_FORMATS = ['url', 'b64_json'] as const;
/** These models return URLs by default and do not stream. */
const DALL_E = /^dall-e-/;
const ONE_IMAGE = 'dall-e-3';

/** Returns small squares of one color and ignores the requested size. */
function generateImages({ headers, body, fingerprint }: SandboxRequest): SandboxResponse {
  const asked = parseJsonObject(body);
  const model = optionalString(asked, 'model') ?? MODEL_DEFAULT;
  const prompt = requiredString(asked, 'prompt');

  requireModel(model, 'v1/images/generations', ['image']);

  const dallE = DALL_E.test(model);
  const partialImages = asked.partial_images;

  return respondToImages(
    {
      model,
      prompt,
      count: optionalCount(asked, 'n', model === ONE_IMAGE ? 1 : COUNT_MAX) ?? 1,
      format: optionalOneOf(asked, 'output_format', PICTURE_FORMATS) ?? 'png',
      asUrl: (optionalOneOf(asked, 'response_format', RESPONSE_FORMATS) ?? (dallE ? 'url' : 'b64_json')) === 'url',
      size: optionalString(asked, 'size') ?? '1024x1024',
      quality: optionalString(asked, 'quality') ?? 'high',
      background: optionalString(asked, 'background') ?? 'opaque',
      inputImages: 0,
      partialImages: asked.stream === true && !dallE ? readPartialImages(partialImages) : null,
      eventName: 'image_generation',
      origin: originOf(headers),
    },
    fingerprint,
  );
}

/** Takes a form with at least one image. The response does not depend on the images' content. */
function editImages({ headers, body, fingerprint }: SandboxRequest): SandboxResponse {
  const form = new Form(headers['content-type'], body);
  const images = form.files('image');
  const prompt = form.requiredText('prompt');
  const model = form.text('model') ?? MODEL_DEFAULT;
  const format = form.text('output_format') ?? 'png';
  const known = PICTURE_FORMATS.find((one) => one === format);

  if (images.length === 0) throw missingParameter('image');
  if (known === undefined) throw invalidValue('output_format', `use one of ${PICTURE_FORMATS.join(', ')}`);
  requireModel(model, 'v1/images/edits', ['image']);

  return respondToImages(
    {
      model,
      prompt,
      count: form.count('n', COUNT_MAX) ?? 1,
      format: known,
      asUrl: form.text('response_format') === 'url',
      size: form.text('size') ?? '1024x1024',
      quality: form.text('quality') ?? 'high',
      background: form.text('background') ?? 'opaque',
      inputImages: images.length,
      partialImages: form.text('stream') === 'true' ? readPartialImages(Number(form.text('partial_images'))) : null,
      eventName: 'image_edit',
      origin: originOf(headers),
    },
    fingerprint,
  );
}

function varyImage({ headers, body, fingerprint }: SandboxRequest): SandboxResponse {
  const form = new Form(headers['content-type'], body);
  const model = form.text('model') ?? 'dall-e-2';

  form.requiredFile('image');
  requireModel(model, 'v1/images/variations', ['image']);
  return respondToImages(
    {
      model,
      prompt: '',
      count: form.count('n', COUNT_MAX) ?? 1,
      format: 'png',
      asUrl: form.text('response_format') !== 'b64_json',
      size: form.text('size') ?? '1024x1024',
      quality: 'standard',
      background: 'opaque',
      inputImages: 1,
      partialImages: null,
      eventName: 'image_edit',
      origin: originOf(headers),
    },
    fingerprint,
  );
}

function drawnImage({ params }: SandboxRequest): SandboxResponse {
  const format = PICTURE_FORMATS.find((one) => one === params.format);

  if (format === undefined) throw unknownUrl('GET', `/sandbox/images/${params.seed}.${params.format}`);
  return {
    kind: 'bytes',
    contentType: format === 'svg' ? 'image/svg+xml' : `image/${format}`,
    bytes: pictureOf(format, params.seed ?? ''),
  };
}

function readPartialImages(value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (value === 0 || value === 1 || value === 2 || value === 3) return value;
  throw invalidValue('partial_images', 'it must be a whole number from 0 to 3');
}

function originOf(headers: IncomingHttpHeaders): string {
  return `http://${headers.host ?? '127.0.0.1'}`;
}
