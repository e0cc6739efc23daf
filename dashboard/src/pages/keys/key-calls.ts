import { answerOf, api } from '../../api/client';
import type { components } from '../../api/schema';
import type { ApiKey, FailedKey, KeyChanges, NewKey, ResetWindow } from './key-types';

/** What can be done to a key and is told by its id alone. */
export type KeyAction = 'suspend' | 'unsuspend' | 'rotate' | 'revoke';
export type BulkAction = Exclude<KeyAction, 'rotate'>;

/** Without a query's cache: the answer holds the raw key. */
export const createKey = (body: NewKey) => answerOf(api.POST('/admin/api-keys', { body }));

export const readKey = (id: string): Promise<ApiKey> =>
  answerOf(api.GET('/admin/api-keys/{id}', { params: { path: { id } } }));

export const changeKey = (id: string, changes: KeyChanges): Promise<ApiKey> =>
  answerOf(
    api.PATCH('/admin/api-keys/{id}', {
      params: { path: { id } },
      // The generated type takes a field with a default for one that is always there.
      body: changes as components['schemas']['UpdateApiKeyRequest'],
    }),
  );

/** @returns the new raw key of a rotation, else null */
export async function act(action: KeyAction, id: string): Promise<string | null> {
  const params = { path: { id } };
  switch (action) {
    case 'suspend':
      await answerOf(api.POST('/admin/api-keys/{id}/suspend', { params }));
      return null;
    case 'unsuspend':
      await answerOf(api.POST('/admin/api-keys/{id}/unsuspend', { params }));
      return null;
    case 'revoke':
      await answerOf(api.POST('/admin/api-keys/{id}/revoke', { params }));
      return null;
    case 'rotate':
      return (await answerOf(api.POST('/admin/api-keys/{id}/rotate', { params }))).key;
  }
}

export interface BulkOutcome {
  readonly succeeded: readonly { readonly id: string }[];
  readonly failed: readonly FailedKey[];
}

/** @param ids 500 at most */
export function actOnAll(action: BulkAction, ids: string[]): Promise<BulkOutcome> {
  const body = { ids };
  switch (action) {
    case 'suspend':
      return answerOf(api.POST('/admin/api-keys/bulk-suspend', { body }));
    case 'unsuspend':
      return answerOf(api.POST('/admin/api-keys/bulk-unsuspend', { body }));
    case 'revoke':
      return answerOf(api.POST('/admin/api-keys/bulk-revoke', { body }));
  }
}

export const resetQuota = (id: string, window: ResetWindow) =>
  answerOf(api.POST('/admin/api-keys/{id}/reset-quota', { params: { path: { id } }, body: { window } }));
