import { pictureOf } from '../images/picture.js';
import { createObject, keptObject, type ObjectFamily, objectRoutes } from '../memory/object-routes.js';
import { requireModel } from '../models/require-model.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { optionalString, requiredString } from '../wire/fields.js';
import { isJsonObject, type JsonObject } from '../wire/json-object.js';
import { invalidValue } from '../wire/vendor-error.js';

const PATH = '/v1/videos';
const DAY_SECONDS = 86_400;
/** The smallest MP4 file: a header without tracks. */
const MP4 = Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex');

const VIDEOS: ObjectFamily = {
  kind: 'video',
  path: PATH,
  make: ({ fields }) => newVideo(fields),
  settle: ({ status, created_at: createdAt }) =>
    status === 'queued'
      ? {
          status: 'completed',
          progress: 100,
          completed_at: createdAt,
          expires_at: Number(createdAt) + DAY_SECONDS,
        }
      : {},
  deleted: (id) => ({ id, object: 'video.deleted', deleted: true }),
};

const CHARACTERS: ObjectFamily = {
  kind: 'character',
  path: `${PATH}/characters`,
  make: ({ fields }) => ({ name: requiredString(fields, 'name') }),
};

/** A video is completed when it is first read. Its file contains no frames. */
export const VIDEOS_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(CHARACTERS),
  { method: 'POST', path: `${PATH}/edits`, handle: (request) => deriveVideo(request) },
  { method: 'POST', path: `${PATH}/extensions`, handle: (request) => deriveVideo(request) },
  ...objectRoutes(VIDEOS),
  { method: 'GET', path: `${PATH}/{id}/content`, handle: videoContent },
  { method: 'POST', path: `${PATH}/{id}/remix`, handle: (request) => deriveVideo(request) },
];

function newVideo(fields: JsonObject): JsonObject {
  const model = optionalString(fields, 'model') ?? 'sora-2';

  requireModel(model, 'v1/videos', ['video']);
  return {
    object: 'video',
    model,
    prompt: requiredString(fields, 'prompt'),
    status: 'queued',
    progress: 0,
    seconds: String(optionalString(fields, 'seconds') ?? '4'),
    size: optionalString(fields, 'size') ?? '720x1280',
    completed_at: null,
    expires_at: null,
    error: null,
    remixed_from_video_id: null,
  };
}

/** Creates a video from another one, which the path of a remix or `video` in the body names. */
function deriveVideo(request: SandboxRequest): JsonResponse {
  const { object } = createObject(
    {
      ...VIDEOS,
      make: ({ fields }) => {
        const id = request.params.id ?? sourceId(fields);
        const source: JsonObject = id === undefined ? {} : request.memory.objects.get('video', id).object;

        return {
          ...newVideo({ model: source.model, size: source.size, seconds: source.seconds, ...fields }),
          remixed_from_video_id: source.id ?? null,
        };
      },
    },
    request,
  );

  return jsonResponse(object);
}

/** Returns undefined for an uploaded video. Forms write the reference as `video[id]`. */
function sourceId(fields: JsonObject): string | undefined {
  const id = isJsonObject(fields.video) ? fields.video.id : fields['video[id]'];

  return typeof id === 'string' ? id : undefined;
}

function videoContent(request: SandboxRequest): SandboxResponse {
  const { id } = keptObject(VIDEOS, request);
  const variant = request.query.get('variant') ?? 'video';

  switch (variant) {
    case 'video':
      return { kind: 'bytes', contentType: 'video/mp4', bytes: MP4 };
    case 'thumbnail':
      return { kind: 'bytes', contentType: 'image/webp', bytes: pictureOf('webp', id) };
    case 'spritesheet':
      return { kind: 'bytes', contentType: 'image/jpeg', bytes: pictureOf('jpeg', id) };
    default:
      throw invalidValue('variant', 'use one of video, thumbnail, spritesheet');
  }
}
