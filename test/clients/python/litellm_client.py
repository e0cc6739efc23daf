"""Checks LiteLLM as a library, with the APIs of both vendors."""

import json

import gateway

(litellm,) = gateway.require("litellm")

litellm.telemetry = False
openai = {"model": f"openai/{gateway.CHAT_MODEL}", "api_base": gateway.BASE_URL, "api_key": gateway.KEY}
claude = {"model": f"anthropic/{gateway.CLAUDE_MODEL}", "api_base": gateway.ORIGIN, "api_key": gateway.KEY}
messages = [{"role": "user", "content": gateway.PROMPT}]
function = {"name": "weather", "description": "The weather in a city.", "parameters": gateway.CITY}
tools = [{"type": "function", "function": function}]

for account in (openai, claude):
    model = account["model"]
    whole = litellm.completion(**account, messages=messages, max_tokens=64)
    gateway.check(f"{model}: chat", whole.choices[0].message.content)
    parts = [
        chunk.choices[0].delta.content or ""
        for chunk in litellm.completion(**account, messages=messages, max_tokens=64, stream=True)
        if chunk.choices
    ]
    gateway.check(f"{model}: a stream", "".join(parts) == whole.choices[0].message.content)
    called = litellm.completion(**account, messages=messages, max_tokens=64, tools=tools, tool_choice="required")
    call = called.choices[0].message.tool_calls[0]
    gateway.check(f"{model}: a tool call", "city" in json.loads(call.function.arguments))
    unknown = {**account, "api_key": gateway.UNKNOWN_KEY}
    gateway.check_raises(
        f"{model}: 401",
        litellm.AuthenticationError,
        lambda unknown=unknown: litellm.completion(**unknown, messages=messages, max_tokens=64, num_retries=0),
    )

completion = {**openai, "model": f"text-completion-openai/{gateway.BASE_MODEL}"}
texts = litellm.text_completion(**completion, prompt=["one", "two"], max_tokens=4).choices
gateway.check("text completions of several prompts", len(texts) == 2)

embedding = {**openai, "model": f"openai/{gateway.EMBEDDING_MODEL}"}
vectors = litellm.embedding(**embedding, input=["one", "two"], dimensions=8).data
gateway.check("embeddings", [len(entry["embedding"]) for entry in vectors] == [8, 8])
