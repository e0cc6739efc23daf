import { messagesPageOf } from '../memory/messages-page.js';
import type { StoredObject } from '../memory/stored-object.js';
import { Form } from '../multipart/form.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest } from '../wire/exchange.js';
import { isoTime } from '../wire/iso-time.js';

const KIND = 'messageFile';

export function uploadMessageFile({ headers, body, memory }: SandboxRequest): JsonResponse {
  const part = new Form(headers['content-type'], body).requiredFile('file');
  const bytes = Buffer.from(part.bytes);

  return jsonResponse(
    memory.objects.create({ kind: KIND, bytes }, (_id, createdAt) => ({
      type: 'file',
      filename: part.filename ?? '',
      mime_type: part.contentType,
      size_bytes: bytes.length,
      created_at: isoTime(createdAt),
      downloadable: true,
      expires_at: null,
    })).object,
  );
}

export function listMessageFiles({ query, memory }: SandboxRequest): JsonResponse {
  const files = memory.objects.all(KIND).toReversed();

  return jsonResponse(
    messagesPageOf(
      files.map(({ object }) => object),
      query,
    ),
  );
}

export function retrieveMessageFile(request: SandboxRequest): JsonResponse {
  return jsonResponse(kept(request).object);
}

export function deleteMessageFile(request: SandboxRequest): JsonResponse {
  const { id } = kept(request);

  request.memory.objects.delete(KIND, id);
  return jsonResponse({ id, type: 'file_deleted' });
}

export function messageFileContent(request: SandboxRequest): SandboxResponse {
  const { object, bytes } = kept(request);

  return { kind: 'bytes', contentType: String(object.mime_type), bytes: bytes ?? Buffer.alloc(0) };
}

function kept({ params, memory }: SandboxRequest): StoredObject {
  return memory.objects.get(KIND, params.file ?? '');
}
