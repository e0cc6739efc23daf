import type { TestGateway } from './gateway.js';

interface ErrorObject {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  readonly request_id: string;
}

export const errorIn = ({ text }: { readonly text: string }): ErrorObject =>
  (JSON.parse(text) as { error: ErrorObject }).error;

/** Returns status, error code and `param` (if present), separated by spaces. A successful response has only its status. */
export function errorCodeIn(response: { readonly status: number; readonly text: string }): string {
  if (response.status < 300) return String(response.status);
  const { code, param } = errorIn(response);
  return [response.status, code, ...(param === null ? [] : [param])].join(' ');
}

export const CHAT = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };

interface Window {
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resets_at: string;
}

export interface Snapshot {
  readonly this_minute: Window;
  readonly today: Window;
  readonly this_month: { readonly requests: Window; readonly tokens: Window };
}

export const snapshot = async (gateway: TestGateway, key: { readonly key: string }): Promise<Snapshot> =>
  (await gateway.call<Snapshot>('GET', '/v1/usage', { key: key.key })).body;
