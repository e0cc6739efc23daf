import { messagesPageOf } from '../memory/messages-page.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import type { StoredKind, StoredObject } from '../memory/stored-object.js';
import { readFieldsAndFiles } from '../multipart/fields-and-files.js';
import type { FormPart } from '../multipart/form-part.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { isoTime } from '../wire/iso-time.js';
import { readManifest } from './skill-manifest.js';

const SKILL = 'messageSkill';
const VERSION = 'messageSkillVersion';

/** Anthropic's skills. They share their paths with OpenAI's but have a different format. */
export const MESSAGE_SKILLS = {
  create: createSkill,
  list: ({ memory, query }: SandboxRequest) => page(memory, query, SKILL, ''),
  retrieve: (request: SandboxRequest) => jsonResponse(kept(request).object),
  remove: deleteSkill,
  createVersion,
  listVersions: (request: SandboxRequest) => page(request.memory, request.query, VERSION, kept(request).id),
  retrieveVersion: (request: SandboxRequest) => jsonResponse(keptVersion(request).object),
  removeVersion: deleteVersion,
} satisfies Readonly<Record<string, SandboxRoute['handle']>>;

function createSkill({ headers, body, memory }: SandboxRequest): JsonResponse {
  const { fields, files } = readFieldsAndFiles(headers, body);
  const { name } = readManifest(files);
  const stored = memory.objects.create({ kind: SKILL }, (_id, createdAt) => ({
    type: 'skill',
    display_name: fields.display_name ?? fields.display_title ?? name,
    source: { type: 'custom' },
    created_at: isoTime(createdAt),
    updated_at: isoTime(createdAt),
  }));

  return jsonResponse(withVersion(memory, stored, files).object);
}

function deleteSkill(request: SandboxRequest): JsonResponse {
  const { id } = kept(request);
  const { objects } = request.memory;

  for (const version of objects.all(VERSION, id)) objects.delete(VERSION, version.id);
  objects.delete(SKILL, id);
  return jsonResponse({ id, type: 'skill_deleted' });
}

function createVersion(request: SandboxRequest): JsonResponse {
  const { headers, body, memory } = request;
  const skill = withVersion(memory, kept(request), readFieldsAndFiles(headers, body).files);

  return jsonResponse(memory.objects.get(VERSION, String(skill.object.latest_version_id), skill.id).object);
}

function deleteVersion(request: SandboxRequest): JsonResponse {
  const { id } = keptVersion(request);

  request.memory.objects.delete(VERSION, id);
  return jsonResponse({ id, type: 'skill_version_deleted' });
}

function withVersion(memory: SandboxMemory, skill: StoredObject, files: readonly FormPart[]): StoredObject {
  const { name, description } = readManifest(files);
  const version = memory.objects.create({ kind: VERSION, parent: skill.id }, (_id, createdAt) => ({
    type: 'skill_version',
    skill_id: skill.id,
    name,
    description,
    created_at: isoTime(createdAt),
  }));

  return memory.objects.change(SKILL, skill, { latest_version_id: version.id });
}

function page(memory: SandboxMemory, query: URLSearchParams, kind: StoredKind, parent: string): JsonResponse {
  const all = memory.objects.all(kind, parent).toReversed();

  return jsonResponse(
    messagesPageOf(
      all.map(({ object }) => object),
      query,
    ),
  );
}

function kept({ params, memory }: SandboxRequest): StoredObject {
  return memory.objects.get(SKILL, params.skill ?? '');
}

function keptVersion(request: SandboxRequest): StoredObject {
  return request.memory.objects.get(VERSION, request.params.version ?? '', kept(request).id);
}
