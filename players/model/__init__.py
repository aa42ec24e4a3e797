"""Language models in seats, over any OpenAI-compatible server."""

from players.model.client import ModelClient
from players.model.endpoint import Endpoint, EndpointError
from players.model.player import ModelPlayer


async def check_endpoint(endpoint: Endpoint) -> None:
    """Make sure before a game that the server answers, knows the key and has the model. Raises EndpointError."""
    client = ModelClient(endpoint)
    try:
        await client.check()
    finally:
        await client.close()


__all__ = ["Endpoint", "EndpointError", "ModelClient", "ModelPlayer", "check_endpoint"]
