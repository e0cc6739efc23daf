import { storedFile } from '../files/files.route.js';
import { keptObject, type ObjectFamily, objectRoutes } from '../memory/object-routes.js';
import type { SandboxRoute } from '../wire/exchange.js';
import { objectOr, requiredString } from '../wire/fields.js';
import { missingParameter } from '../wire/vendor-error.js';

const CONTAINERS: ObjectFamily = {
  kind: 'container',
  path: '/v1/containers',
  children: ['containerFile'],
  make: ({ fields }) => ({
    object: 'container',
    name: requiredString(fields, 'name'),
    status: 'running',
    expires_after: objectOr(fields.expires_after, { anchor: 'last_active_at', minutes: 20 }),
    memory_limit: fields.memory_limit ?? '1g',
    network_policy: fields.network_policy ?? { type: 'disabled' },
  }),
  deleted: (id) => ({ id, object: 'container.deleted', deleted: true }),
};

/** Files are uploaded, or copied by `file_id` from `POST /v1/files`. */
const CONTAINER_FILES: ObjectFamily = {
  kind: 'containerFile',
  path: '/v1/containers/{parent}/files',
  parent: 'container',
  make: (asked) => {
    const { name, bytes } = uploadedOrCopied(asked);

    return {
      object: 'container.file',
      container_id: asked.params.parent,
      path: `/mnt/data/${name}`,
      bytes: bytes.length,
      source: 'user',
    };
  },
  bytes: (asked) => Buffer.from(uploadedOrCopied(asked).bytes),
  deleted: (id) => ({ id, object: 'container.file.deleted', deleted: true }),
};

export const CONTAINERS_ROUTES: readonly SandboxRoute[] = [
  ...objectRoutes(CONTAINERS),
  ...objectRoutes(CONTAINER_FILES),
  {
    method: 'GET',
    path: `${CONTAINER_FILES.path}/{id}/content`,
    handle: (request) => ({
      kind: 'bytes',
      contentType: 'application/octet-stream',
      bytes: keptObject(CONTAINER_FILES, request).bytes ?? Buffer.alloc(0),
    }),
  },
];

function uploadedOrCopied(asked: Parameters<ObjectFamily['make']>[0]): { name: string; bytes: Buffer } {
  const [file] = asked.files;

  if (file !== undefined) return { name: file.filename ?? 'file', bytes: file.bytes };
  if (asked.fields.file_id === undefined) throw missingParameter('file');

  const { filename, bytes } = storedFile(asked.memory, requiredString(asked.fields, 'file_id'));

  return { name: filename, bytes };
}
