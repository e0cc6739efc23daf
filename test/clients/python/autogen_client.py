"""Checks AutoGen: an assistant with a tool, and a group chat, which sends two user messages in a row."""

import asyncio

import gateway

gateway.require("autogen_agentchat", "autogen_ext.models.openai")

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_ext.models.openai import OpenAIChatCompletionClient

asked: list[str] = []


async def weather(city: str) -> str:
    """The weather in a city."""
    asked.append(city)
    return "sunny"


async def main() -> None:
    client = OpenAIChatCompletionClient(
        model=gateway.CHAT_MODEL, base_url=gateway.BASE_URL, api_key=gateway.KEY, max_retries=0
    )
    assistant = AssistantAgent("assistant", model_client=client, tools=[weather])
    result = await assistant.run(task=gateway.PROMPT)
    gateway.check("an assistant calls its tool", len(asked) == 1 and len(result.messages) > 1)

    members = [AssistantAgent(name, model_client=client) for name in ("first", "second", "third")]
    team = RoundRobinGroupChat(members, termination_condition=MaxMessageTermination(4))
    chat = await team.run(task=gateway.PROMPT)
    gateway.check("a group chat", [message.source for message in chat.messages] == ["user", "first", "second", "third"])
    await client.close()


asyncio.run(main())
