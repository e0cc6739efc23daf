import { readFieldsAndFiles } from '../multipart/fields-and-files.js';
import type { FormPart } from '../multipart/form-part.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';
import { wrongState } from '../wire/vendor-error.js';
import { pageOf } from './page.js';
import type { StoredKind, StoredObject } from './stored-object.js';

interface NewObjectAsked extends SandboxRequest {
  readonly fields: JsonObject;
  readonly files: readonly FormPart[];
}

/** A family of objects that clients create, read and list, and optionally change or delete. */
export interface ObjectFamily {
  readonly kind: StoredKind;
  /** For example `/v1/evals`. It contains `{parent}` if the objects belong to another object. */
  readonly path: string;
  readonly parent?: StoredKind;
  readonly children?: readonly StoredKind[];
  /** Returns the vendor's fields of a new object, without `id` and `created_at`. */
  readonly make: (asked: NewObjectAsked) => JsonObject;
  readonly bytes?: (asked: NewObjectAsked) => Buffer;
  /** Returns the fields that change when an object is first read, because its simulated work is then done. */
  readonly settle?: (object: JsonObject) => JsonObject;
  readonly changes?: readonly string[];
  readonly deleted?: (id: string) => JsonObject;
}

export function objectRoutes(family: ObjectFamily): SandboxRoute[] {
  const { path, changes, deleted } = family;
  const one = `${path}/{id}`;
  const routes: SandboxRoute[] = [
    { method: 'POST', path, handle: (request) => jsonResponse(createObject(family, request).object) },
    { method: 'GET', path, handle: (request) => listObjects(family, request) },
    { method: 'GET', path: one, handle: (request) => jsonResponse(settled(family, request).object) },
  ];

  if (changes !== undefined) {
    routes.push({ method: 'POST', path: one, handle: (request) => changeObject(family, changes, request) });
  }
  if (deleted !== undefined) {
    routes.push({
      method: 'DELETE',
      path: one,
      handle: (request) => jsonResponse(deleted(deleteObject(family, request))),
    });
  }
  return routes;
}

/** Returns a route that changes an object's status. The current status must be one of `from`. */
export function statusRoute(
  family: ObjectFamily,
  action: string,
  from: readonly string[],
  fields: (object: JsonObject) => JsonObject,
): SandboxRoute {
  return {
    method: 'POST',
    path: `${family.path}/{id}${action}`,
    handle: (request) => {
      const stored = keptObject(family, request);

      if (!from.includes(String(stored.object.status))) throw wrongState(family.kind, stored.object.status);
      return jsonResponse(request.memory.objects.change(family.kind, stored, fields(stored.object)).object);
    },
  };
}

/** @throws VendorError 404 if the object or its required parent does not exist */
export function keptObject(family: ObjectFamily, { params, memory }: SandboxRequest): StoredObject {
  return memory.objects.get(family.kind, params.id ?? '', parentOf(family, { params, memory }));
}

export function createObject(family: ObjectFamily, request: SandboxRequest): StoredObject {
  const parent = parentOf(family, request);
  const asked = { ...request, ...readFieldsAndFiles(request.headers, request.body) };
  const fields = family.make(asked);
  const bytes = family.bytes?.(asked);

  return request.memory.objects.create(
    { kind: family.kind, parent, ...(bytes === undefined ? {} : { bytes }) },
    (_id, createdAt) => ({ created_at: createdAt, ...fields }),
  );
}

function listObjects(family: ObjectFamily, { params, query, memory }: SandboxRequest): JsonResponse {
  const parent = parentOf(family, { params, memory });

  return jsonResponse(
    pageOf(
      memory.objects.all(family.kind, parent).map(({ object }) => object),
      query,
    ),
  );
}

export function settled(family: ObjectFamily, request: SandboxRequest): StoredObject {
  const stored = keptObject(family, request);
  const done = family.settle?.(stored.object) ?? {};

  return Object.keys(done).length === 0 ? stored : request.memory.objects.change(family.kind, stored, done);
}

function changeObject(family: ObjectFamily, names: readonly string[], request: SandboxRequest): JsonResponse {
  const asked = parseJsonObject(request.body);
  const fields = Object.fromEntries(names.filter((name) => name in asked).map((name) => [name, asked[name]]));

  return jsonResponse(request.memory.objects.change(family.kind, keptObject(family, request), fields).object);
}

function deleteObject(family: ObjectFamily, request: SandboxRequest): string {
  const { id } = keptObject(family, request);
  const { objects } = request.memory;

  for (const kind of family.children ?? []) {
    for (const child of objects.all(kind, id)) objects.delete(kind, child.id);
  }
  objects.delete(family.kind, id);
  return id;
}

function parentOf(family: ObjectFamily, { params, memory }: Pick<SandboxRequest, 'params' | 'memory'>): string {
  return family.parent === undefined ? '' : memory.objects.get(family.parent, params.parent ?? '').id;
}
