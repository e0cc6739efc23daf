import { useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';

const CHAT = 'gpt-4o-mini';
const MESSAGES = 'claude-3-7-sonnet-20250219';
const LISTED_MAX = 500;

/** Returns example models that the key can call, or well-known models if the list cannot be loaded. */
export function useSnippetModels(allowed: readonly string[] | null): { chatModel: string; messagesModel: string } {
  const { data } = useQuery({
    queryKey: ['models', 'callable-chat'],
    queryFn: ({ signal }) => {
      const query = { category: 'chat', availability: 'callable', limit: LISTED_MAX } as const;
      return responseBodyOf(api.GET('/admin/model-allowlist', { params: { query }, signal }));
    },
  });
  const listed = (data?.models ?? []).filter(({ enabled }) => enabled !== false);
  const fitting = allowed === null ? listed : listed.filter(({ model }) => allowed.includes(model));
  const chatModel = fitting.find(({ model }) => model === CHAT)?.model ?? fitting[0]?.model ?? allowed?.[0] ?? CHAT;
  const anthropic = fitting.filter(({ provider }) => provider === 'anthropic');
  const messagesModel =
    anthropic.find(({ model }) => model === MESSAGES)?.model ??
    anthropic[0]?.model ??
    (allowed === null && fitting.length === 0 ? MESSAGES : chatModel);
  return { chatModel, messagesModel };
}
