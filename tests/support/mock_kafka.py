"""librdkafka's mock cluster, driven through ctypes: a Kafka that can be made to fail on purpose.

It speaks the protocol to any client, keeps records in memory, answers injected errors, and can be switched off and on.
It does not drop duplicates of an idempotent producer, has no DescribeConfigs, and forgets all when closed.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import confluent_kafka

RD_KAFKA_PRODUCER = 0
PRODUCE = 0
FETCH = 1
OFFSET_COMMIT = 8


class MockKafka:
    """A mock cluster of one broker with the given topics."""

    def __init__(self, topics: dict[str, int]) -> None:
        self._library = _load()
        configuration = self._library.rd_kafka_conf_new()
        reason = ctypes.create_string_buffer(512)
        self._handle = self._library.rd_kafka_new(RD_KAFKA_PRODUCER, configuration, reason, 512)
        assert self._handle, reason.value
        self._cluster = self._library.rd_kafka_mock_cluster_new(self._handle, 1)
        assert self._cluster
        for name, partitions in topics.items():
            error = self._library.rd_kafka_mock_topic_create(self._cluster, name.encode(), partitions, 1)
            assert error == 0, error
        self.bootstrap: str = self._library.rd_kafka_mock_cluster_bootstraps(self._cluster).decode()

    def push_errors(self, api: int, *codes: int) -> None:
        """The next requests of `api` are answered with these error codes, one each, and not carried out."""
        array = (ctypes.c_int * len(codes))(*codes)
        self._library.rd_kafka_mock_push_request_errors_array(self._cluster, api, len(codes), array)

    def clear_errors(self, api: int) -> None:
        self._library.rd_kafka_mock_clear_request_errors(self._cluster, api)

    def set_rtt(self, milliseconds: int) -> None:
        """Delay every answer; the requests themselves are carried out at once."""
        assert self._library.rd_kafka_mock_broker_set_rtt(self._cluster, 1, milliseconds) == 0

    def kill(self) -> None:
        """Close every connection and refuse new ones; the records stay."""
        assert self._library.rd_kafka_mock_broker_set_down(self._cluster, 1) == 0

    def start(self) -> None:
        """Accept connections again."""
        assert self._library.rd_kafka_mock_broker_set_up(self._cluster, 1) == 0

    def close(self) -> None:
        self._library.rd_kafka_mock_cluster_destroy(self._cluster)
        self._library.rd_kafka_destroy(self._handle)


def _load() -> ctypes.CDLL:
    package = Path(confluent_kafka.__file__).parent
    bundled = sorted(package.parent.glob("confluent_kafka.libs/librdkafka*")) or sorted(
        package.glob(".dylibs/librdkafka*")
    )
    library = ctypes.CDLL(str(bundled[0]) if bundled else "librdkafka.so.1")
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    signatures: dict[str, tuple[list[type], type | None]] = {
        "rd_kafka_conf_new": ([], pointer),
        "rd_kafka_new": ([number, pointer, text, ctypes.c_size_t], pointer),
        "rd_kafka_destroy": ([pointer], None),
        "rd_kafka_mock_cluster_new": ([pointer, number], pointer),
        "rd_kafka_mock_cluster_destroy": ([pointer], None),
        "rd_kafka_mock_cluster_bootstraps": ([pointer], text),
        "rd_kafka_mock_topic_create": ([pointer, text, number, number], number),
        "rd_kafka_mock_push_request_errors_array": (
            [pointer, ctypes.c_int16, ctypes.c_size_t, ctypes.POINTER(number)],
            None,
        ),
        "rd_kafka_mock_clear_request_errors": ([pointer, ctypes.c_int16], None),
        "rd_kafka_mock_broker_set_rtt": ([pointer, ctypes.c_int32, number], number),
        "rd_kafka_mock_broker_set_down": ([pointer, ctypes.c_int32], number),
        "rd_kafka_mock_broker_set_up": ([pointer, ctypes.c_int32], number),
    }
    for name, (arguments, result) in signatures.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = result
    return library
