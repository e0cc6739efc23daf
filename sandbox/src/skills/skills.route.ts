import { both } from '../wire/both-vendors.js';
import type { SandboxMemory } from '../memory/sandbox-memory.js';
import { pageOf } from '../memory/page.js';
import type { StoredObject } from '../memory/stored-object.js';
import { readFieldsAndFiles } from '../multipart/fields-and-files.js';
import { jsonResponse, type JsonResponse, type SandboxResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { requiredString } from '../wire/fields.js';
import { parseJsonObject } from '../wire/json-object.js';
import { objectNotFound } from '../wire/vendor-error.js';
import { MESSAGE_SKILLS } from './message-skills.js';
import { readManifest } from './skill-manifest.js';

const PATH = '/v1/skills';
const VERSIONS = `${PATH}/{skill}/versions`;

export const SKILLS_ROUTES: readonly SandboxRoute[] = [
  both('POST', PATH, createSkill, MESSAGE_SKILLS.create),
  both('GET', PATH, listSkills, MESSAGE_SKILLS.list),
  both('GET', `${PATH}/{skill}`, (request) => jsonResponse(kept(request).object), MESSAGE_SKILLS.retrieve),
  { method: 'POST', path: `${PATH}/{skill}`, handle: modifySkill },
  both('DELETE', `${PATH}/{skill}`, deleteSkill, MESSAGE_SKILLS.remove),
  { method: 'GET', path: `${PATH}/{skill}/content`, handle: (request) => content(lastVersion(request)) },
  both('POST', VERSIONS, createVersion, MESSAGE_SKILLS.createVersion),
  both('GET', VERSIONS, listVersions, MESSAGE_SKILLS.listVersions),
  both(
    'GET',
    `${VERSIONS}/{version}`,
    (request) => jsonResponse(keptVersion(request).object),
    MESSAGE_SKILLS.retrieveVersion,
  ),
  both('DELETE', `${VERSIONS}/{version}`, deleteVersion, MESSAGE_SKILLS.removeVersion),
  { method: 'GET', path: `${VERSIONS}/{version}/content`, handle: (request) => content(keptVersion(request)) },
];

function createSkill(request: SandboxRequest): JsonResponse {
  const { headers, body, memory } = request;
  const { files } = readFieldsAndFiles(headers, body);
  const manifest = readManifest(files);
  const { id, object } = memory.objects.create({ kind: 'skill' }, (_id, createdAt) => ({
    object: 'skill',
    created_at: createdAt,
    ...manifest,
    default_version: '1',
    latest_version: '1',
  }));

  addVersion(memory, id, '1', files);
  return jsonResponse(object);
}

function listSkills({ query, memory }: SandboxRequest): JsonResponse {
  return jsonResponse(
    pageOf(
      memory.objects.all('skill').map(({ object }) => object),
      query,
    ),
  );
}

function modifySkill(request: SandboxRequest): JsonResponse {
  const version = requiredString(parseJsonObject(request.body), 'default_version');

  return jsonResponse(request.memory.objects.change('skill', kept(request), { default_version: version }).object);
}

function deleteSkill(request: SandboxRequest): JsonResponse {
  const { id } = kept(request);
  const { objects } = request.memory;

  for (const version of objects.all('skillVersion', id)) objects.delete('skillVersion', version.id);
  objects.delete('skill', id);
  return jsonResponse({ id, object: 'skill.deleted', deleted: true });
}

function createVersion(request: SandboxRequest): JsonResponse {
  const { headers, body, memory } = request;
  const skill = kept(request);
  const { fields, files } = readFieldsAndFiles(headers, body);
  const version = String(Number(skill.object.latest_version) + 1);
  const added = addVersion(memory, skill.id, version, files);
  const chosen = fields.default === true || fields.default === 'true' ? { default_version: version } : {};

  memory.objects.change('skill', skill, { latest_version: version, ...chosen });
  return jsonResponse(added.object);
}

function listVersions(request: SandboxRequest): JsonResponse {
  const versions = request.memory.objects.all('skillVersion', kept(request).id);

  return jsonResponse(
    pageOf(
      versions.map(({ object }) => object),
      request.query,
    ),
  );
}

function deleteVersion(request: SandboxRequest): JsonResponse {
  const { id, object } = keptVersion(request);

  request.memory.objects.delete('skillVersion', id);
  return jsonResponse({ id, object: 'skill.version.deleted', deleted: true, version: object.version });
}

function addVersion(
  memory: SandboxMemory,
  skillId: string,
  version: string,
  files: Parameters<typeof readManifest>[0],
): StoredObject {
  const manifest = readManifest(files);
  const bytes = Buffer.from(files[0]?.bytes ?? '');

  return memory.objects.create({ kind: 'skillVersion', parent: skillId, bytes }, (_id, createdAt) => ({
    object: 'skill.version',
    created_at: createdAt,
    skill_id: skillId,
    version,
    ...manifest,
  }));
}

function content({ bytes }: StoredObject): SandboxResponse {
  return { kind: 'bytes', contentType: 'application/zip', bytes: bytes ?? Buffer.alloc(0) };
}

function kept({ params, memory }: SandboxRequest): StoredObject {
  return memory.objects.get('skill', params.skill ?? '');
}

function keptVersion(request: SandboxRequest): StoredObject {
  const wanted = request.params.version ?? '';
  const versions = request.memory.objects.all('skillVersion', kept(request).id);
  const found = versions.find(({ id, object }) => id === wanted || object.version === wanted);

  if (found === undefined) throw objectNotFound('skill version', wanted);
  return found;
}

function lastVersion(request: SandboxRequest): StoredObject {
  const { id, object } = kept(request);

  return keptVersion({ ...request, params: { skill: id, version: String(object.default_version) } });
}
