"""Clock, entropy and keys that follow from a seed: `stavka play --seed N` gives the same match on every machine.

For demonstrations and tests only. A key that anybody can make again proves nothing about a rated match, so nothing
but the embedded server of `stavka play` is ever given one. With --data it leaves it in that folder, where matches and
keys belong together: serve such a folder to look at what was played, not to play for a rating.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final

from cryptography.hazmat.primitives.asymmetric import rsa

from stavka.match.keys import RSA_BITS, Keyring, Signer, key_id_of

EPOCH_MS: Final = 1_704_067_200_000  # 2024-01-01 UTC: where the clock stands
PUBLIC_EXPONENT: Final = 65537
WITNESSES: Final = 40  # rounds of Miller-Rabin: error below 4^-40
SMALL: Final = tuple(n for n in range(3, 4000) if all(n % d for d in range(2, int(n**0.5) + 1)))


class StoppedClock:
    """A clock that stands still: the hashes of a history hold its times, and chance of automatic steps its hashes."""

    def now_ms(self) -> int:
        return EPOCH_MS


@dataclass
class SeededEntropy:
    """Bytes from SHAKE-256 of seed, label and a counter."""

    seed: int
    label: str
    drawn: int = field(default=0, init=False)

    def token_bytes(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_256(f"stavka/{self.label}/{self.seed}/{self.drawn}".encode()).digest(count)


def keyring(seed: int) -> Keyring:
    """The keyring of a seed; takes about a second."""
    entropy = SeededEntropy(seed, "keys")
    p, q = _prime(entropy), _prime(entropy)
    totient = (p - 1) * (q - 1)
    d = pow(PUBLIC_EXPONENT, -1, totient)
    public = rsa.RSAPublicNumbers(PUBLIC_EXPONENT, p * q)
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q), public
    )
    private = numbers.private_key()
    signer = Signer(key_id_of(private), private)
    return Keyring({signer.key_id: signer}, signer.key_id, entropy.token_bytes(32))


def _prime(entropy: SeededEntropy) -> int:
    """A prime of half the key's length whose two top bits are set, so that the product has the full length."""
    bits = RSA_BITS // 2
    while True:
        candidate = int.from_bytes(entropy.token_bytes(bits // 8), "big") | 3 << bits - 2 | 1
        if (
            all(candidate % small for small in SMALL)
            and candidate % PUBLIC_EXPONENT != 1
            and _is_prime(candidate, entropy)
        ):
            return candidate


def _is_prime(candidate: int, entropy: SeededEntropy) -> bool:
    """Miller-Rabin."""
    odd, twos = candidate - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(WITNESSES):
        witness = 2 + int.from_bytes(entropy.token_bytes(128), "big") % (candidate - 3)
        power = pow(witness, odd, candidate)
        if power in (1, candidate - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % candidate
            if power == candidate - 1:
                break
        else:
            return False
    return True
