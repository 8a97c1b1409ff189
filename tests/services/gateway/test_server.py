"""The server as a whole: start, health, reflection, TLS, what it refuses at start-up, garbage on the wire."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.x509.oid import NameOID
from google.protobuf import descriptor_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stavka.audit.verify import verify
from stavka.client import Unreachable, channel_to, connect
from stavka.gateway import CannotListen, Limits, Role, Tls, development_key
from stavka.gateway.identity import BadKeyFile
from stavka.gateway.server import SERVICES
from stavka.wire.gen.stavka.admin.v1 import admin_service_pb2
from stavka.wire.gen.stavka.audit.v1 import audit_service_pb2
from stavka.wire.gen.stavka.match.v1 import match_service_pb2 as pb

from .stand import FailingLog, Stand, eventually, quarantine, stand, told

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def health(live: Stand, service: str = "") -> Any:
    stub = health_pb2_grpc.HealthStub(live.channel)
    return (await stub.Check(health_pb2.HealthCheckRequest(service=service))).status


async def test_health_says_not_serving_until_the_log_has_been_read() -> None:
    log = FailingLog()
    log.away = True
    async with stand(log=log, serve=False) as live:
        assert await health(live) == NOT_SERVING
        client = live.client("north")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.matches.ListMatches(pb.ListMatchesRequest(), metadata=client.metadata)
        found = told(caught.value)
        assert (found.code, found.reason) == (grpc.StatusCode.UNAVAILABLE, "NOT_SERVING")
        assert found.retry_seconds > 0
        log.away = False
        await asyncio.wait_for(live.server.ready(), 10)
        for service in ("", *(service.full_name for service in SERVICES)):
            assert await health(live, service) == SERVING
        await client.ask(client.matches.ListMatches, pb.ListMatchesRequest())


async def test_health_says_not_serving_when_the_log_is_lost(live: Stand) -> None:
    assert await health(live) == SERVING
    await live.log.close()
    await eventually(live.follower.failed.done)
    async with asyncio.timeout(10):
        while await health(live) != NOT_SERVING:
            pass


async def test_reflection_describes_every_service_without_a_token(live: Stand) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(live.channel)
    requests = [reflection_pb2.ServerReflectionRequest(list_services="")]
    requests += [
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=service.full_name) for service in SERVICES
    ]
    answers = [answer async for answer in stub.ServerReflectionInfo(iter(requests))]
    names = {service.name for service in answers[0].list_services_response.service}
    assert names >= {service.full_name for service in SERVICES} | {"grpc.health.v1.Health"}
    for service, answer in zip(SERVICES, answers[1:], strict=True):
        files = [
            descriptor_pb2.FileDescriptorProto.FromString(raw)
            for raw in answer.file_descriptor_response.file_descriptor_proto
        ]
        assert service.name in {found.name for file in files for found in file.service}


def certificate() -> tuple[bytes, bytes]:
    """A self-signed certificate for localhost and its key, PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    alternatives = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return signed.public_bytes(serialization.Encoding.PEM), private


async def test_tls_is_spoken_when_a_certificate_is_given() -> None:
    chain, key = certificate()
    async with stand(tls=Tls(chain, key)) as live:
        target = f"localhost:{live.server.port}"
        async with connect(target, live.token("anna"), certificate=chain) as client:
            assert (await client.create("skirmish", "plain")).version == 1
        stranger, _ = certificate()
        for channel in (channel_to(target, certificate=stranger), channel_to(target)):
            call: Any = channel.unary_unary("/stavka.match.v1.MatchService/ListMatches", None, None)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call(b"", timeout=10)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            await channel.close(None)


async def test_a_development_key_is_refused_off_loopback(tmp_path: Path) -> None:
    key = development_key(tmp_path / "keys")
    async with stand(key=key):
        pass
    with pytest.raises(BadKeyFile):
        async with stand(key=key, host="0.0.0.0"):
            raise AssertionError("it serves")


async def test_a_port_that_is_taken_is_refused_at_start(live: Stand) -> None:
    with pytest.raises(CannotListen):
        async with stand(port=live.server.port):
            raise AssertionError("it serves")


async def test_a_message_beyond_the_hard_limit_is_refused_by_grpc_itself(live: Stand) -> None:
    client = live.client("anna")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.matches.CreateMatch(pb.CreateMatchRequest(position="x" * 1_100_000), metadata=client.metadata)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200), st.sampled_from([(s, m) for s in SERVICES for m in s.methods]))
def test_garbage_is_answered_with_a_typed_error_or_not_at_all(noise: bytes, where: Any) -> None:
    asyncio.run(throw(noise, where))


async def throw(noise: bytes, where: Any) -> None:
    service, method = where
    async with stand() as live:
        call: Any = live.channel.unary_stream if method.server_streaming else live.channel.unary_unary
        running: Any = call(f"/{service.full_name}/{method.name}", None, None)(
            noise, metadata=live.client("anna").metadata
        )
        try:
            await (running.read() if method.server_streaming else running)
        except grpc.aio.AioRpcError as error:
            found = told(error)
            assert found.reason
            assert found.code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)
        running.cancel()


async def test_unknown_methods_and_services_are_unimplemented(live: Stand) -> None:
    for path in ("/stavka.match.v1.MatchService/Fly", "/stavka.moon.v1.Moon/Land"):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await live.channel.unary_unary(path, None, None)(b"", metadata=live.client("anna").metadata)
        assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_an_export_verifies_and_a_checkpoint_is_signed(live: Stand) -> None:
    match_id = await live.seated()
    await live.play(match_id)
    client = live.client("watcher", Role.SPECTATOR)
    header, records = await client.export(match_id)
    report = verify(match_id, records, header.head)
    assert report.ok, report.wrong
    assert (header.ended, header.version, header.ruleset) == (True, 13, "skirmish/1")
    point = await client.ask(client.audit.GetCheckpoint, audit_service_pb2.GetCheckpointRequest(match_id=match_id))
    assert point.statement.decode().splitlines()[:4] == [
        "stavka-checkpoint/1", f"match {match_id}", "version 13", f"head {header.head.hex()}",
    ]  # fmt: skip
    public: Any = serialization.load_pem_public_key(point.public_key.encode())
    public.verify(point.signature, point.statement, padding.PKCS1v15(), hashes.SHA256())
    assert point.public_key == header.public_key


async def test_an_export_of_a_running_match_keeps_hands_sealed(live: Stand) -> None:
    match_id = await live.seated()
    _, records = await live.client("zoe", Role.ARBITER).export(match_id)
    assert len(records) == 4
    assert b"$sealed" in records[3]
    assert b'"hand":[' not in records[3]


async def test_an_administrator_sees_quarantine_and_status(live: Stand) -> None:
    healthy, sick = await live.seated(), await live.seated()
    await quarantine(live, sick)
    admin = live.client("root", Role.ADMINISTRATOR)
    request = admin_service_pb2.ListQuarantinedMatchesRequest()
    listed = await admin.ask(admin.admin.ListQuarantinedMatches, request)
    assert [m.match_id for m in listed.matches] == [sick]
    assert "UNKNOWN_TYPE" in listed.matches[0].reason
    status = await admin.ask(admin.admin.GetStatus, admin_service_pb2.GetStatusRequest())
    assert (status.matches, status.waiting_commands, status.open_streams) == (2, 0, 0)
    rebuilt = await admin.ask(
        admin.admin.RebuildProjection, admin_service_pb2.RebuildProjectionRequest(match_id=healthy)
    )
    assert rebuilt.version == 4
    assert (await admin.match(sick)).status == 4  # quarantined


async def test_one_caller_cannot_take_the_others_share() -> None:
    async with stand(limits=Limits(calls_a_second=0.01, burst=20)) as live:
        greedy, modest = live.client("greedy"), live.client("modest")
        request = pb.ListMatchesRequest()
        answers = await asyncio.gather(
            *(greedy.ask(greedy.matches.ListMatches, request) for _ in range(40)), return_exceptions=True
        )
        assert sum(isinstance(answer, Exception) for answer in answers) == 20
        await modest.ask(modest.matches.ListMatches, request)
        live.clock.ahead_ms += 200_000  # two tokens
        for _ in range(2):
            await greedy.ask(greedy.matches.ListMatches, request)


async def test_no_server_is_told_apart_from_a_refusal(live: Stand) -> None:
    async with connect("127.0.0.1:1", live.token("anna")) as client:
        client.patience = 0.0
        with pytest.raises(Unreachable):
            await client.match("07-01J000000000000000000000AB")
