"""Checks the anthropic package."""

import gateway

(anthropic,) = gateway.require("anthropic")

client = anthropic.Anthropic(base_url=gateway.ORIGIN, api_key=gateway.KEY, max_retries=0)
messages = [{"role": "user", "content": gateway.PROMPT}]
asked = {"model": gateway.CLAUDE_MODEL, "max_tokens": 64, "messages": messages}
tools = [{"name": "weather", "input_schema": gateway.CITY}]

whole = client.messages.create(**asked)
gateway.check("a message", whole.content[0].text)
gateway.check("its usage", whole.usage.output_tokens > 0)

with client.messages.stream(**asked) as stream:
    text = "".join(stream.text_stream)
gateway.check("a stream has the text of the whole response", text == whole.content[0].text)

called = client.messages.create(**asked, tools=tools, tool_choice={"type": "tool", "name": "weather"})
call = next(block for block in called.content if block.type == "tool_use")
gateway.check("a tool call", "city" in call.input)
result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}
turns = [
    *messages,
    {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in called.content]},
    {"role": "user", "content": [result]},
]
answered = client.messages.create(**{**asked, "messages": turns}, tools=tools)
gateway.check("a tool result", answered.content[0].text)

# The specification has neither this route nor Anthropic's model list.
if gateway.IS_CURRENT_PROFILE:
    counted = client.messages.count_tokens(model=gateway.CLAUDE_MODEL, messages=messages)
    gateway.check("count_tokens", counted.input_tokens > 0)
    models = client.models.list(limit=1000)
    gateway.check("models have display names", all(model.display_name for model in models))

stranger = client.with_options(api_key=gateway.UNKNOWN_KEY)
gateway.check_raises("401", anthropic.AuthenticationError, lambda: stranger.messages.create(**asked))
