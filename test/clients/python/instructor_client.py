"""Checks Instructor: structured output with a tool, and a retry after a response that fails validation."""

import gateway

instructor, openai, pydantic = gateway.require("instructor", "openai", "pydantic")

client = instructor.from_openai(
    openai.OpenAI(base_url=gateway.BASE_URL, api_key=gateway.KEY, max_retries=0)
)
messages = [{"role": "user", "content": gateway.PROMPT}]


class Place(pydantic.BaseModel):
    city: str


class PlaceAskedTwice(pydantic.BaseModel):
    city: str
    attempts: int = 0

    @pydantic.field_validator("city")
    @classmethod
    def refuse_once(cls, city: str) -> str:
        refusals.append(city)
        if len(refusals) == 1:
            raise ValueError("Name another city.")
        return city


refusals: list[str] = []

place = client.chat.completions.create(model=gateway.CHAT_MODEL, response_model=Place, messages=messages)
gateway.check("a structured output", place.city)

client.chat.completions.create(
    model=gateway.CHAT_MODEL, response_model=PlaceAskedTwice, messages=messages, max_retries=2
)
gateway.check("a retry after a validation error", len(refusals) == 2)

(anthropic,) = gateway.require("anthropic")
claude = instructor.from_anthropic(
    anthropic.Anthropic(base_url=gateway.ORIGIN, api_key=gateway.KEY, max_retries=0)
)
place = claude.messages.create(
    model=gateway.CLAUDE_MODEL, max_tokens=64, response_model=Place, messages=messages
)
gateway.check("a structured output of Anthropic", place.city)
