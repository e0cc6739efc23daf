"""Checks Pydantic AI: an agent with a tool, a stream and a structured output, with the APIs of both vendors."""

import asyncio

import gateway

gateway.require("pydantic_ai", "openai", "anthropic")

from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

asked: list[str] = []


class Place(BaseModel):
    city: str


def weather(city: str) -> str:
    """The weather in a city."""
    asked.append(city)
    return "sunny"


async def main() -> None:
    openai_client = AsyncOpenAI(base_url=gateway.BASE_URL, api_key=gateway.KEY, max_retries=0)
    anthropic_client = AsyncAnthropic(base_url=gateway.ORIGIN, api_key=gateway.KEY, max_retries=0)
    openai = OpenAIProvider(openai_client=openai_client)
    models = {
        "chat": OpenAIChatModel(gateway.CHAT_MODEL, provider=openai),
        "responses": OpenAIResponsesModel(gateway.CHAT_MODEL, provider=openai),
        "messages": AnthropicModel(gateway.CLAUDE_MODEL, provider=AnthropicProvider(anthropic_client=anthropic_client)),
    }
    for name, model in models.items():
        asked.clear()
        result = await Agent(model, tools=[weather]).run(gateway.PROMPT)
        gateway.check(f"{name}: an agent calls its tool", asked and result.output)
        plain = Agent(model, instructions="Answer briefly.")
        whole = await plain.run(gateway.PROMPT)
        async with plain.run_stream(gateway.PROMPT) as stream:
            text = "".join([part async for part in stream.stream_text(delta=True)])
        gateway.check(f"{name}: a stream has the text of the whole response", text == whole.output)
        gateway.check(f"{name}: the usage", whole.usage.output_tokens > 0)
        gateway.check(f"{name}: a structured output", (await Agent(model, output_type=Place).run(gateway.PROMPT)).output.city)
    await openai_client.close()
    await anthropic_client.close()


asyncio.run(main())
