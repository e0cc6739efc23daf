/** Every sandbox model has this context window, in sandbox tokens. */
export const CONTEXT_TOKENS = 200_000;
