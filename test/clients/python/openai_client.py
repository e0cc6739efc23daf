"""Checks the openai package."""

import json

import gateway

(openai,) = gateway.require("openai")

client = openai.OpenAI(base_url=gateway.BASE_URL, api_key=gateway.KEY, max_retries=0)
messages = [{"role": "user", "content": gateway.PROMPT}]
function = {"name": "weather", "description": "The weather in a city.", "parameters": gateway.CITY}
tools = [{"type": "function", "function": function}]

whole = client.chat.completions.create(model=gateway.CHAT_MODEL, messages=messages)
gateway.check("chat", whole.choices[0].message.content)

parts = []
usage = None
for chunk in client.chat.completions.create(
    model=gateway.CHAT_MODEL, messages=messages, stream=True, stream_options={"include_usage": True}
):
    usage = chunk.usage or usage
    parts += [choice.delta.content or "" for choice in chunk.choices]
gateway.check("a stream has the text of the whole response", "".join(parts) == whole.choices[0].message.content)
gateway.check("a stream reports its usage", usage is not None and usage.completion_tokens > 0)

called = client.chat.completions.create(
    model=gateway.CHAT_MODEL, messages=messages, tools=tools, tool_choice="required"
).choices[0].message
call = called.tool_calls[0]
gateway.check("a tool call", "city" in json.loads(call.function.arguments))
result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
answered = client.chat.completions.create(
    model=gateway.CHAT_MODEL,
    messages=[*messages, called.model_dump(exclude_none=True), result],
    tools=tools,
)
gateway.check("a tool result", answered.choices[0].message.content)

structured = client.chat.completions.create(
    model=gateway.CHAT_MODEL,
    messages=messages,
    response_format={"type": "json_schema", "json_schema": {"name": "place", "strict": True, "schema": gateway.CITY}},
)
gateway.check("a structured output", "city" in json.loads(structured.choices[0].message.content))

gateway.check("responses", client.responses.create(model=gateway.CHAT_MODEL, input=gateway.PROMPT).output_text)

base = client.completions.create(model=gateway.BASE_MODEL, prompt=["one", "two"], n=2, echo=True)
gateway.check("choices of several prompts", [choice.text[:3] for choice in base.choices] == ["one", "one", "two", "two"])
emulated = client.completions.create(model=gateway.CHAT_MODEL, prompt="one", echo=True)
gateway.check("an emulated completion", emulated.object == "text_completion" and emulated.choices[0].text[:3] == "one")
if gateway.IS_CURRENT_PROFILE:
    native = {"model": gateway.OPEN_MODEL, "prompt": [[1, 2], [3]], "logprobs": 1, "best_of": 1, "max_tokens": 4}
    gateway.check("token IDs", len(client.completions.create(**native).choices) == 2)
    chunks = list(client.completions.create(**native, stream=True, stream_options={"include_usage": True}))
    gateway.check("a streamed completion reports its usage", chunks[-1].usage.completion_tokens == 8)
    several = {"model": gateway.CHAT_MODEL, "prompt": ["one", "two"]}
    gateway.check_raises("400", openai.BadRequestError, lambda: client.completions.create(**several))

embeddings = client.embeddings.create(model=gateway.EMBEDDING_MODEL, input=["one", "two"], dimensions=8)
gateway.check("embeddings", [len(entry.embedding) for entry in embeddings.data] == [8, 8])

transcription = client.audio.transcriptions.create(model="whisper-1", file=("speech.wav", bytes(2_000)))
gateway.check("a transcription", transcription.text)

gateway.check("models", gateway.CHAT_MODEL in [model.id for model in client.models.list()])

stranger = client.with_options(api_key=gateway.UNKNOWN_KEY)
gateway.check_raises("401", openai.AuthenticationError, stranger.models.list)
