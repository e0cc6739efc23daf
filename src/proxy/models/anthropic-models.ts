import type { CatalogModel } from '../../model-policy/parse-catalog.js';
import type { ModelEntry } from '../../model-policy/model-list.service.js';

/** The format of Anthropic's `GET /v1/models`. Fields that the gateway cannot fill are null. */
export interface AnthropicModel {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  /** RFC 3339; the epoch if the provider does not report it. */
  readonly created_at: string;
  readonly capabilities: null;
  readonly max_input_tokens: null;
  readonly max_tokens: null;
}

interface AnthropicModelPage {
  readonly data: readonly AnthropicModel[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

export const anthropicModel = ({ id, created }: ModelEntry, row: CatalogModel | undefined): AnthropicModel => ({
  type: 'model',
  id,
  display_name: row?.display_name ?? id,
  created_at: row?.created_at ?? new Date(created * 1000).toISOString(),
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
});

/** @param hasMore in the direction in which the client pages */
export const anthropicPage = (data: readonly AnthropicModel[], hasMore: boolean): AnthropicModelPage => ({
  data,
  has_more: hasMore,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
});
