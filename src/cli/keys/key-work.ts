import {
  CreateApiKeyRequest,
  ListApiKeysRequest,
  listQueryOf,
  settingsOf,
  UpdateApiKeyRequest,
} from '../../admin/api-keys/api-key.request.dto.js';
import {
  ApiKeyListResponse,
  ApiKeyResponse,
  ApiKeyStatusResponse,
  CreatedApiKeyResponse,
  RevokedApiKeyResponse,
  RotatedApiKeyResponse,
} from '../../admin/api-keys/api-key.response.dto.js';
import { Clock } from '../../clock/clock.js';
import { KeysModule } from '../../keys/keys.module.js';
import { KeysService } from '../../keys/keys.service.js';
import { SYSTEM_ACTOR } from '../../request-context/admin-actor.js';
import { withApplication, type Need } from '../application.js';
import type { Invocation, Result } from '../command.js';
import { checkBody, readQuery } from '../check-input.js';
import { keyId } from './key-id.js';
import { changedText, createdText, listText, rotatedText, updatedText } from './key-text.js';
import { CREATE_OPTIONS, LIST_OPTIONS, UPDATE_OPTIONS, type KeyChange } from './key-options.data.js';

const READS: Need = { room: KeysModule, writes: false };
const WRITES: Need = { room: KeysModule, writes: true };

export async function createKey(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const settings = settingsOf(await checkBody(CreateApiKeyRequest, input, CREATE_OPTIONS));
  return withKeys(call, WRITES, async (keys, nowMs) => {
    const document = CreatedApiKeyResponse.issued(await keys.create(settings, SYSTEM_ACTOR), nowMs);
    return { document, text: createdText(document), holdsSecret: true };
  });
}

export async function updateKey(call: Invocation, typedId: string, input: Record<string, unknown>): Promise<Result> {
  const id = keyId.transform(typedId);
  const settings = settingsOf(await checkBody(UpdateApiKeyRequest, input, UPDATE_OPTIONS));
  return withKeys(call, WRITES, async (keys, nowMs) => {
    const document = ApiKeyResponse.of(await keys.update(id, settings, SYSTEM_ACTOR), nowMs);
    return { document, text: updatedText(document) };
  });
}

export async function listKeys(call: Invocation, input: Record<string, unknown>): Promise<Result> {
  const query = await readQuery(ListApiKeysRequest, input, LIST_OPTIONS);
  return withKeys(call, READS, async (keys, nowMs) => {
    const document = ApiKeyListResponse.of(await keys.list(listQueryOf(query)), query.offset, nowMs);
    return { document, text: listText(document, query.offset) };
  });
}

export async function changeKey(call: Invocation, change: KeyChange, typedId: string): Promise<Result> {
  const id = keyId.transform(typedId);
  return withKeys(call, WRITES, async (keys) => {
    if (change === 'rotate') {
      const document = RotatedApiKeyResponse.issued(await keys.rotate(id, SYSTEM_ACTOR));
      return { document, text: rotatedText(document), holdsSecret: true };
    }
    const key = await keys.change(change, id, SYSTEM_ACTOR);
    const document = change === 'revoke' ? RevokedApiKeyResponse.of(key) : ApiKeyStatusResponse.of(key);
    return { document, text: changedText(key) };
  });
}

function withKeys(
  call: Invocation,
  need: Need,
  work: (keys: KeysService, nowMs: number) => Promise<Result>,
): Promise<Result> {
  return withApplication(call, need, (services) =>
    work(services.get(KeysService), services.get(Clock, { strict: false }).now()),
  );
}
