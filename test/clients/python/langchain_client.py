"""Checks LangChain: chat models of both vendors, an agent, embeddings and text completions."""

import gateway

gateway.require("langchain", "langchain_openai", "langchain_anthropic")

from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI, OpenAI, OpenAIEmbeddings
from pydantic import BaseModel

openai = {"base_url": gateway.BASE_URL, "api_key": gateway.KEY, "max_retries": 0}
asked: list[str] = []


class Place(BaseModel):
    """A place."""

    city: str


def weather(city: str) -> str:
    """The weather in a city."""
    asked.append(city)
    return "sunny"


models = {
    "chat": ChatOpenAI(model=gateway.CHAT_MODEL, **openai),
    "responses": ChatOpenAI(model=gateway.CHAT_MODEL, use_responses_api=True, **openai),
    "messages": ChatAnthropic(
        model=gateway.CLAUDE_MODEL, base_url=gateway.ORIGIN, api_key=gateway.KEY, max_retries=0, max_tokens=64
    ),
}
for name, model in models.items():
    whole = model.invoke(gateway.PROMPT)
    gateway.check(f"{name}: a response", whole.text)
    gateway.check(f"{name}: its usage", whole.usage_metadata["output_tokens"] > 0)
    gateway.check(f"{name}: a stream", "".join(chunk.text for chunk in model.stream(gateway.PROMPT)) == whole.text)
    gateway.check(f"{name}: a structured output", model.with_structured_output(Place).invoke(gateway.PROMPT).city)
    asked.clear()
    state = create_agent(model, [weather]).invoke({"messages": [("user", gateway.PROMPT)]})
    gateway.check(f"{name}: an agent calls its tool", asked and state["messages"][-1].text)

embeddings = OpenAIEmbeddings(
    model=gateway.EMBEDDING_MODEL, dimensions=8, check_embedding_ctx_length=False, **openai
)
gateway.check("embeddings", [len(vector) for vector in embeddings.embed_documents(["one", "two"])] == [8, 8])

gateway.check("a text completion", OpenAI(model=gateway.BASE_MODEL, **openai).invoke("Once upon a time"))
if gateway.IS_CURRENT_PROFILE:
    completions = OpenAI(model=gateway.OPEN_MODEL, **openai)
    gateway.check("several prompts", len(completions.generate(["one", "two", "three"]).generations) == 3)
