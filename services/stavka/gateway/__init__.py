"""The gateway process: Stavka's gRPC API. It hands commands in and shows what became of them; it judges no rule.

server.py        GatewayServer: composition of the API, health, reflection, start and stop
edge.py          every call: identity, limits, parsing, and errors on their way out
identity.py      bearer tokens                    permissions.py  who may do what, one table
limits.py        rates, open commands, streams    refusals.py     error -> gRPC status, one function
desk.py          commands in, outcomes out        directory.py    matches, seats and players, from the log
playing.py reading.py streams.py answers.py       MatchService
listing.py describe.py                            RulesService
auditing.py administration.py                     AuditService, AdminService
"""

from .identity import Identity, Role, TokenKey, development_key, issue, load_key
from .limits import Limits
from .refusals import CannotListen
from .server import GatewayServer, Tls

__all__ = [
    "CannotListen",
    "GatewayServer",
    "Identity",
    "Limits",
    "Role",
    "Tls",
    "TokenKey",
    "development_key",
    "issue",
    "load_key",
]
