"""Checks the OpenAI Agents SDK: an agent with a tool, a handoff and a stream, over chat completions and Responses."""

import asyncio

import gateway

gateway.require("agents", "openai")

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from pydantic import BaseModel

set_tracing_disabled(True)
asked: list[str] = []


class Place(BaseModel):
    city: str


@function_tool
def weather(city: str) -> str:
    """The weather in a city."""
    asked.append(city)
    return "sunny"


# Without tools, it sends an empty list of them to Responses, which the specification rejects.
KINDS = (
    (OpenAIChatCompletionsModel, OpenAIResponsesModel) if gateway.IS_CURRENT_PROFILE else (OpenAIChatCompletionsModel,)
)


async def main() -> None:
    client = AsyncOpenAI(base_url=gateway.BASE_URL, api_key=gateway.KEY, max_retries=0)
    for kind in KINDS:
        name = kind.__name__
        model = kind(model=gateway.CHAT_MODEL, openai_client=client)
        asked.clear()
        agent = Agent(name="assistant", instructions="Answer briefly.", model=model, tools=[weather])
        result = await Runner.run(agent, gateway.PROMPT)
        gateway.check(f"{name}: an agent calls its tool", asked and result.final_output)

        plain = Agent(name="plain", instructions="Answer briefly.", model=model)
        streamed = Runner.run_streamed(plain, gateway.PROMPT)
        kinds = {event.type async for event in streamed.stream_events()}
        gateway.check(f"{name}: a stream", "raw_response_event" in kinds and streamed.final_output)

        typed = Agent(name="typed", instructions="Name the place.", model=model, output_type=Place)
        gateway.check(f"{name}: a structured output", (await Runner.run(typed, gateway.PROMPT)).final_output.city)

        first = Agent(name="first", instructions="Hand off.", model=model, handoffs=[plain])
        handed = await Runner.run(first, gateway.PROMPT)
        gateway.check(f"{name}: a handoff", handed.last_agent is plain)
    await client.close()


asyncio.run(main())
