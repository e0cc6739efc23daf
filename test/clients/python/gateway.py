"""Access to the gateway under test, and shared checks."""

import importlib
import os
import sys
from types import ModuleType

ORIGIN = os.environ["GATEWAY_ORIGIN"]
BASE_URL = f"{ORIGIN}/v1"
KEY = os.environ["GATEWAY_KEY"]
IS_CURRENT_PROFILE = os.environ["GATEWAY_PROFILE"] == "current"
UNKNOWN_KEY = "sk-gw-nobody"

CHAT_MODEL = "gpt-4o-mini"
CLAUDE_MODEL = "claude-3-5-haiku-20241022"
BASE_MODEL = "davinci-002"
OPEN_MODEL = "llama-3.3-70b-instruct"
EMBEDDING_MODEL = "text-embedding-3-small"
PROMPT = "How is the weather in Bern?"
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}

# The test runner reports a script with this exit code as skipped.
SKIPPED = 77


def require(*names: str) -> list[ModuleType]:
    """Imports modules. If one is missing, prints the reason and exits with the code for a skipped script."""
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        print(error)
        sys.exit(SKIPPED)


def require_current_profile(reason: str) -> None:
    """Exits with the code for a skipped script unless the gateway has the current profile."""
    if not IS_CURRENT_PROFILE:
        print(f"{reason}. It needs GW_PROFILE=current.")
        sys.exit(SKIPPED)


def check(what: str, passed: object) -> None:
    """Exits with an error unless `passed` is truthy."""
    if not passed:
        sys.exit(f"failed: {what}")
    print(f"ok: {what}")


def check_raises(what: str, kind: type[BaseException], call) -> None:
    """Exits with an error unless `call` raises an exception of this class."""
    try:
        call()
    except kind:
        print(f"ok: {what}")
        return
    sys.exit(f"failed: {what}: nothing was raised")
