/** The context window of every sandbox model, in tokens of the sandbox. */
export const CONTEXT_TOKENS = 200_000;
