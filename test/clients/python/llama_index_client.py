"""Checks llama-index's classes for OpenAI: chat, Responses and embeddings."""

import gateway

gateway.require("llama_index.core", "llama_index.llms.openai")

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai import OpenAI, OpenAIResponses

access = {"model": gateway.CHAT_MODEL, "api_base": gateway.BASE_URL, "api_key": gateway.KEY, "max_retries": 0}
question = [ChatMessage(role="user", content=gateway.PROMPT)]

# Without tools, it sends an empty list of them to Responses, which the specification rejects.
kinds = (OpenAI, OpenAIResponses) if gateway.IS_CURRENT_PROFILE else (OpenAI,)
for kind in kinds:
    name = kind.__name__
    llm = kind(**access)
    whole = llm.chat(question).message.content
    gateway.check(f"{name}: chat", whole)
    parts = [part.delta or "" for part in llm.stream_chat(question)]
    gateway.check(f"{name}: a stream", "".join(parts) == whole)

try:
    from llama_index.embeddings.openai import OpenAIEmbedding
except ImportError as error:
    print(f"Embeddings are skipped: {error}")
else:
    embedding = OpenAIEmbedding(
        model=gateway.EMBEDDING_MODEL, api_base=gateway.BASE_URL, api_key=gateway.KEY, dimensions=8
    )
    vectors = embedding.get_text_embedding_batch(["one", "two"])
    gateway.check("embeddings", [len(vector) for vector in vectors] == [8, 8])
