"""Checks Haystack's generators for OpenAI and, if its integration is installed, for Anthropic."""

import os

import gateway

gateway.require("haystack")

from haystack.components.embedders import OpenAITextEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from haystack.utils import Secret

key = Secret.from_token(gateway.KEY)
question = ChatMessage.from_user(gateway.PROMPT)
weather = Tool(
    name="weather", description="The weather in a city.", parameters=gateway.CITY, function=lambda city: "sunny"
)

openai = OpenAIChatGenerator(api_key=key, model=gateway.CHAT_MODEL, api_base_url=gateway.BASE_URL)
gateway.check("chat", openai.run([question])["replies"][0].text)

parts = []
streaming = OpenAIChatGenerator(
    api_key=key,
    model=gateway.CHAT_MODEL,
    api_base_url=gateway.BASE_URL,
    streaming_callback=lambda chunk: parts.append(chunk.content),
)
gateway.check("a stream", streaming.run([question])["replies"][0].text == "".join(parts))

called = openai.run([question], tools=[weather])["replies"][0]
gateway.check("a tool call", called.tool_call is not None and called.tool_call.tool_name == "weather")

embedder = OpenAITextEmbedder(
    api_key=key, model=gateway.EMBEDDING_MODEL, api_base_url=gateway.BASE_URL, dimensions=8
)
gateway.check("embeddings", len(embedder.run("one")["embedding"]) == 8)

# The integration has no argument for a base URL, but Anthropic's SDK reads this variable.
os.environ["ANTHROPIC_BASE_URL"] = gateway.ORIGIN
try:
    from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator
except ImportError as error:
    print(f"Anthropic is skipped: {error}")
else:
    anthropic = AnthropicChatGenerator(
        api_key=key, model=gateway.CLAUDE_MODEL, generation_kwargs={"max_tokens": 64}
    )
    # It sends an empty list of tools, which the specification rejects.
    if gateway.IS_CURRENT_PROFILE:
        gateway.check("Anthropic without tools", anthropic.run([question])["replies"][0].text)
    gateway.check("Anthropic with a tool", anthropic.run([question], tools=[weather])["replies"][0].tool_call)
