import { both } from '../wire/both-vendors.js';
import { pageOf } from '../memory/page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { Form } from '../multipart/form.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { invalidValue, objectNotFound } from '../wire/vendor-error.js';
import {
  deleteMessageFile,
  listMessageFiles,
  messageFileContent,
  retrieveMessageFile,
  uploadMessageFile,
} from './message-files.js';
import { fileObject, type StoredFile } from './stored-file.js';

export const FILES_ROUTES: readonly SandboxRoute[] = [
  both('GET', '/v1/files', listFiles, listMessageFiles),
  both('POST', '/v1/files', uploadFile, uploadMessageFile),
  both('GET', '/v1/files/{file}', retrieveFile, retrieveMessageFile),
  both('DELETE', '/v1/files/{file}', deleteFile, deleteMessageFile),
  both('GET', '/v1/files/{file}/content', fileContent, messageFileContent),
];

const PAGE_MAX = 10_000;
const ENTRY_BYTES = 1_000;
const PURPOSES = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'];

function uploadFile({ headers, body, memory }: SandboxRequest): JsonResponse {
  const form = new Form(headers['content-type'], body);
  const part = form.requiredFile('file');
  const purpose = form.requiredText('purpose');

  if (!PURPOSES.includes(purpose)) throw invalidValue('purpose', `use one of ${PURPOSES.join(', ')}`);

  // A view of `part.bytes` would keep the whole request body in memory.
  const bytes = Buffer.from(part.bytes);
  const file = memory.files.create(bytes.length + ENTRY_BYTES, (id, createdAt) => ({
    id,
    purpose,
    filename: part.filename ?? '',
    createdAt,
    bytes,
  }));

  return jsonResponse(fileObject(file));
}

function listFiles({ query, memory }: SandboxRequest): JsonResponse {
  const purpose = query.get('purpose');
  const files = memory.files.all().filter((file) => purpose === null || file.purpose === purpose);

  return jsonResponse(pageOf(files.map(fileObject), query, PAGE_MAX));
}

function retrieveFile({ params, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(fileObject(storedFile(memory, params.file ?? '')));
}

function deleteFile({ params, memory }: SandboxRequest): JsonResponse {
  const { id } = storedFile(memory, params.file ?? '');

  memory.files.delete(id);
  return jsonResponse({ id, object: 'file', deleted: true });
}

function fileContent({ params, memory }: SandboxRequest): SandboxResponse {
  const { bytes, filename } = storedFile(memory, params.file ?? '');

  return { kind: 'bytes', contentType: 'application/octet-stream', bytes, disposition: attachment(filename) };
}

export function storedFile(memory: SandboxMemory, id: string): StoredFile {
  const file = memory.files.get(id);

  if (file === undefined) throw objectNotFound('file', id);
  return file;
}

/** Writes the filename in both forms of RFC 6266: ASCII with `_` for other characters, and percent-encoded. */
function attachment(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');

  if (plain === filename) return `attachment; filename="${plain}"`;

  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
