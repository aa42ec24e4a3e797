"""Language models in seats, over any OpenAI-compatible server."""

from players.model.ability import Ability, Memory
from players.model.client import Answer, Failure, ModelClient
from players.model.endpoint import Endpoint, EndpointError, Price
from players.model.player import ModelPlayer


async def check_endpoint(endpoint: Endpoint, memory: Memory | None = None) -> None:
    """Make sure before a game that the server answers, knows the key and has the model. Raises EndpointError.

    What the server takes is learned and remembered on the way.
    """
    client = ModelClient(endpoint, memory=memory)
    try:
        await client.check()
    finally:
        await client.close()


__all__ = [
    "Ability",
    "Answer",
    "Endpoint",
    "EndpointError",
    "Failure",
    "Memory",
    "ModelClient",
    "ModelPlayer",
    "Price",
    "check_endpoint",
]
