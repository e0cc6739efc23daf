import { requireModel } from '../models/require-model.js';
import { jsonResponse, type JsonResponse } from '../wire/response.js';
import type { SandboxRequest, SandboxRoute } from '../wire/exchange.js';
import { objectOr } from '../wire/fields.js';
import { type JsonObject, parseJsonObject } from '../wire/json-object.js';

const MODEL_DEFAULT = 'gpt-realtime';
const SECRET_SECONDS = 600;

/** The sandbox has no realtime endpoint that accepts these client secrets. */
export const REALTIME_ROUTES: readonly SandboxRoute[] = [
  { method: 'POST', path: '/v1/realtime/client_secrets', handle: createClientSecret },
  { method: 'POST', path: '/v1/realtime/translations/client_secrets', handle: createClientSecret },
  { method: 'POST', path: '/v1/realtime/sessions', handle: createSession },
  { method: 'POST', path: '/v1/realtime/transcription_sessions', handle: createSession },
];

function createClientSecret(request: SandboxRequest): JsonResponse {
  const asked = objectOr(readBody(request).session, {});
  const { type = 'realtime' } = asked;

  return jsonResponse({
    ...secretOf(request),
    session: {
      ...asked,
      ...sessionOf(request, asked),
      type,
      object: `realtime.${type === 'realtime' ? '' : `${String(type)}_`}session`,
    },
  });
}

/** Returns an older format, in which the session contains the secret. */
function createSession(request: SandboxRequest): JsonResponse {
  const asked = readBody(request);

  return jsonResponse({
    ...asked,
    ...sessionOf(request, asked),
    object: 'realtime.session',
    client_secret: secretOf(request),
  });
}

function sessionOf({ fingerprint }: SandboxRequest, { model = MODEL_DEFAULT }: JsonObject): JsonObject {
  requireModel(String(model), 'v1/realtime', ['realtime', 'transcription']);
  return { id: fingerprint.id('sess_', 24), model, expires_at: fingerprint.created + SECRET_SECONDS };
}

function secretOf({ fingerprint }: SandboxRequest): JsonObject {
  return { value: fingerprint.id('ek_', 32), expires_at: fingerprint.created + SECRET_SECONDS };
}

function readBody({ body }: SandboxRequest): JsonObject {
  return body.length === 0 ? {} : parseJsonObject(body);
}
