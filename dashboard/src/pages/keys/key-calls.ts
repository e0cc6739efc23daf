import { responseBodyOf, api } from '../../api/client';
import type { components } from '../../api/schema';
import type { ApiKey, FailedKey, KeyChanges, NewKey, ResetWindow } from './key-types';

export type KeyAction = 'suspend' | 'unsuspend' | 'rotate' | 'revoke';
export type BulkAction = Exclude<KeyAction, 'rotate'>;

/** Not cached, because the response contains the raw key. */
export const createKey = (body: NewKey) => responseBodyOf(api.POST('/admin/api-keys', { body }));

export const readKey = (id: string): Promise<ApiKey> =>
  responseBodyOf(api.GET('/admin/api-keys/{id}', { params: { path: { id } } }));

export const changeKey = (id: string, changes: KeyChanges): Promise<ApiKey> =>
  responseBodyOf(
    api.PATCH('/admin/api-keys/{id}', {
      params: { path: { id } },
      // The generated type wrongly requires fields that have a default.
      body: changes as components['schemas']['UpdateApiKeyRequest'],
    }),
  );

export async function act(action: KeyAction, id: string): Promise<string | null> {
  const params = { path: { id } };
  switch (action) {
    case 'suspend':
      await responseBodyOf(api.POST('/admin/api-keys/{id}/suspend', { params }));
      return null;
    case 'unsuspend':
      await responseBodyOf(api.POST('/admin/api-keys/{id}/unsuspend', { params }));
      return null;
    case 'revoke':
      await responseBodyOf(api.POST('/admin/api-keys/{id}/revoke', { params }));
      return null;
    case 'rotate':
      return (await responseBodyOf(api.POST('/admin/api-keys/{id}/rotate', { params }))).key;
  }
}

export interface BulkOutcome {
  readonly succeeded: readonly { readonly id: string }[];
  readonly failed: readonly FailedKey[];
}

/** @param ids at most 500 */
export function actOnAll(action: BulkAction, ids: string[]): Promise<BulkOutcome> {
  const body = { ids };
  switch (action) {
    case 'suspend':
      return responseBodyOf(api.POST('/admin/api-keys/bulk-suspend', { body }));
    case 'unsuspend':
      return responseBodyOf(api.POST('/admin/api-keys/bulk-unsuspend', { body }));
    case 'revoke':
      return responseBodyOf(api.POST('/admin/api-keys/bulk-revoke', { body }));
  }
}

export const resetQuota = (id: string, window: ResetWindow) =>
  responseBodyOf(api.POST('/admin/api-keys/{id}/reset-quota', { params: { path: { id } }, body: { window } }));
