"""The Python client: what a program needs to play, watch and export, over generated stubs alone.

client.py    connect, Client         errors.py    what the server refuses, as exceptions
structs.py   google.protobuf.Struct as plain data (the server uses it too)
"""

from .client import Client, channel_to, connect, new_id
from .errors import (
    ClientError,
    IllegalMove,
    Malformed,
    NotAllowed,
    NotFound,
    OutcomeUnknown,
    Refused,
    Stale,
    TooMuch,
    Unreachable,
)
from .structs import to_plain, to_struct

__all__ = [
    "Client",
    "ClientError",
    "IllegalMove",
    "Malformed",
    "NotAllowed",
    "NotFound",
    "OutcomeUnknown",
    "Refused",
    "Stale",
    "TooMuch",
    "Unreachable",
    "channel_to",
    "connect",
    "new_id",
    "to_plain",
    "to_struct",
]
