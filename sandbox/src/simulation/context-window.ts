/** The context window of every sandbox model, in sandbox tokens. */
export const CONTEXT_TOKENS = 200_000;
