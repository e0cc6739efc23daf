"""Checks the Claude Agent SDK, which contains Claude Code: a response, and a tool of the caller."""

import asyncio
import tempfile

import gateway

gateway.require("claude_agent_sdk")
gateway.require_current_profile("Claude Code uses fields that the specification rejects")

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, create_sdk_mcp_server, query, tool

asked: list[str] = []


@tool("weather", "The weather in a city.", {"city": str})
async def weather(given: dict) -> dict:
    asked.append(given["city"])
    return {"content": [{"type": "text", "text": "sunny"}]}


async def result_of(folder: str, prompt: str, **more) -> ResultMessage:
    env = {
        "ANTHROPIC_BASE_URL": gateway.ORIGIN,
        "ANTHROPIC_AUTH_TOKEN": gateway.KEY,
        "CLAUDE_CONFIG_DIR": folder,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    options = ClaudeAgentOptions(model="claude-sonnet-4-20250514", env=env, cwd=folder, setting_sources=[], **more)
    messages = [message async for message in query(prompt=prompt, options=options)]
    return next(message for message in messages if isinstance(message, ResultMessage))


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain = await result_of(folder, "Hello!", tools=[], max_turns=2)
        gateway.check("a response", not plain.is_error and plain.result)
        gateway.check("its usage", plain.usage["output_tokens"] > 0)

        server = create_sdk_mcp_server("tools", tools=[weather])
        name = "mcp__tools__weather"
        called = await result_of(
            folder,
            f"Call {name} for Bern.",
            tools=[],
            mcp_servers={"tools": server},
            allowed_tools=[name],
            max_turns=4,
        )
        gateway.check("a tool call", asked and not called.is_error)


asyncio.run(main())
