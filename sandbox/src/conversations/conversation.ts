import type { SandboxMemory } from '../memory/sandbox-memory.js';
import type { StoredObject } from '../memory/stored-object.js';
import { turnsOfItems } from '../responses/response-input.js';
import type { Turn } from '../simulation/turn.js';
import type { JsonObject } from '../wire/json-object.js';

/** @throws VendorError 404 for an unknown conversation */
export function conversationTurns(memory: SandboxMemory, id: string): Turn[] {
  memory.objects.get('conversation', id);
  return turnsOfItems(memory.objects.all('conversationItem', id).map(({ object }) => object));
}

export function extendConversation(
  memory: SandboxMemory,
  id: string,
  items: readonly JsonObject[],
): StoredObject['object'][] {
  return items.map((item) => memory.objects.create({ kind: 'conversationItem', parent: id }, () => item).object);
}
