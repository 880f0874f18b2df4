# SPDX-License-Identifier: Apache-2.0
"""Small RV32I programs, an assembler for them, and a model that says what they must store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DONE", "PROGRAMS", "Memory", "Store", "assemble", "expected"]

DONE = 0x7FC
"""A program ends by a store to this address."""

PROGRAMS: Mapping[str, str] = {
    "arithmetic": """
        lui x1 0x12345 ; addi x1 x1 0x678 ; lui x2 0xF00FF ; addi x2 x2 -241 ; addi x3 x0 0x400
        add x4 x1 x2 ; sw x4 0 x3 ; sub x4 x1 x2 ; sw x4 4 x3 ; xor x4 x1 x2 ; sw x4 8 x3
        or x4 x1 x2 ; sw x4 12 x3 ; and x4 x1 x2 ; sw x4 16 x3 ; slt x4 x2 x1 ; sw x4 20 x3
        sltu x4 x2 x1 ; sw x4 24 x3 ; addi x5 x0 7 ; sll x4 x1 x5 ; sw x4 28 x3
        srl x4 x2 x5 ; sw x4 32 x3 ; sra x4 x2 x5 ; sw x4 36 x3 ; slli x4 x2 13 ; sw x4 40 x3
        srli x4 x2 21 ; sw x4 44 x3 ; srai x4 x2 30 ; sw x4 48 x3 ; xori x4 x1 -1 ; sw x4 52 x3
        ori x4 x1 0x155 ; sw x4 56 x3 ; andi x4 x2 -256 ; sw x4 60 x3 ; slti x4 x1 -5
        sw x4 64 x3 ; sltiu x4 x1 -5 ; sw x4 68 x3 ; auipc x4 0x10 ; sw x4 72 x3
        sw x0 0x7FC x0
    """,
    "branches": """
        addi x1 x0 5 ; addi x2 x0 -3 ; addi x3 x0 0x400 ; addi x4 x0 0 ; addi x6 x0 5
        loop: add x4 x4 x1 ; addi x1 x1 -1 ; bne x1 x0 loop ; sw x4 0 x3
        addi x5 x0 0
        blt x2 x6 a ; addi x5 x5 1
        a: bltu x2 x6 b ; addi x5 x5 2
        b: bge x6 x2 c ; addi x5 x5 4
        c: bgeu x6 x2 d ; addi x5 x5 8
        d: beq x6 x2 e ; addi x5 x5 16
        e: addi x7 x0 5 ; beq x6 x7 f ; addi x5 x5 32
        f: bne x6 x7 g ; addi x5 x5 64
        g: bge x2 x6 h ; addi x5 x5 128
        h: sw x5 4 x3 ; jal x8 call ; sw x9 8 x3 ; jal x0 end
        call: sw x8 12 x3 ; addi x9 x0 77 ; jalr x10 x8 0
        end: sw x10 16 x3 ; sw x0 0x7FC x0
    """,
    "memory": """
        addi x3 x0 0x400 ; lui x1 0x89ABD ; addi x1 x1 -273 ; sw x1 0 x3
        lb x4 0 x3 ; sw x4 4 x3 ; lb x4 3 x3 ; sw x4 4 x3 ; lbu x4 1 x3 ; sw x4 8 x3
        lbu x4 2 x3 ; sw x4 12 x3 ; lh x4 0 x3 ; sw x4 16 x3 ; lh x4 2 x3 ; sw x4 20 x3
        lhu x4 2 x3 ; sw x4 24 x3 ; lw x4 0 x3 ; sw x4 28 x3
        sb x1 33 x3 ; sb x1 34 x3 ; sb x1 35 x3 ; sb x1 32 x3 ; sh x1 36 x3 ; sh x1 38 x3
        lw x5 32 x3 ; lw x6 36 x3 ; add x5 x5 x6 ; sw x5 -4 x3 ; lbu x5 35 x3 ; sw x5 40 x3
        sw x0 0x7FC x0
    """,
}

_ALU = {
    "add": (0, 0),
    "sub": (0, 0x20),
    "sll": (1, 0),
    "slt": (2, 0),
    "sltu": (3, 0),
    "xor": (4, 0),
    "srl": (5, 0),
    "sra": (5, 0x20),
    "or": (6, 0),
    "and": (7, 0),
}
_IMMEDIATE = {
    "addi": "add",
    "slti": "slt",
    "sltiu": "sltu",
    "xori": "xor",
    "ori": "or",
    "andi": "and",
    "slli": "sll",
    "srli": "srl",
    "srai": "sra",
}
_BRANCHES = {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}
_LOADS = {"lb": 0, "lh": 1, "lw": 2, "lbu": 4, "lhu": 5}
_STORES = {"sb": 0, "sh": 1, "sw": 2}
_WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Store:
    """What a core writes: a word's address, the bytes of it, and the data in those bytes."""

    address: int
    mask: int
    data: int


@dataclass
class Memory:
    """The memory of a core, with all that it stored."""

    words: dict[int, int]
    stores: list[Store] = field(default_factory=list)

    @property
    def is_done(self) -> bool:
        """Whether the program has come to its end."""
        return bool(self.stores) and self.stores[-1].address == DONE

    def read(self, address: int) -> int:
        """Return the word around `address`."""
        return self.words.get(address & ~3, 0)

    def write(self, address: int, mask: int, data: int) -> None:
        """Store the bytes `mask` of `data` in the word around `address`."""
        bits = sum(0xFF << 8 * lane for lane in range(4) if mask >> lane & 1)
        self.stores.append(Store(address & ~3, mask, data & bits))
        self.words[address & ~3] = self.read(address) & ~bits | data & bits


def assemble(text: str, base: int = 0) -> dict[int, int]:
    """Return the words of a program that begins at `base`, by address."""
    lines: list[list[str]] = []
    labels: dict[str, int] = {}
    for statement in text.replace("\n", ";").split(";"):
        words = statement.split()
        if words and words[0].endswith(":"):
            labels[words.pop(0)[:-1]] = 4 * len(lines)
        if words:
            lines.append(words)
    return {base + 4 * at: _encoded(line, labels, 4 * at) for at, line in enumerate(lines)}


def _encoded(line: list[str], labels: Mapping[str, int], here: int) -> int:
    name = line[0]
    a, b, c = ([_number(word, labels, here) for word in line[1:]] + [0, 0])[:3]
    if name in _ALU:
        kind, high = _ALU[name]
        return high << 25 | c << 20 | b << 15 | kind << 12 | a << 7 | 0x33
    if name in _IMMEDIATE:
        kind, high = _ALU[_IMMEDIATE[name]]
        return (high << 5 | c & 0xFFF) << 20 | b << 15 | kind << 12 | a << 7 | 0x13
    if name in _LOADS:
        return (b & 0xFFF) << 20 | c << 15 | _LOADS[name] << 12 | a << 7 | 0x03
    if name in _STORES:
        high, low = b >> 5 & 0x7F, b & 0x1F
        return high << 25 | a << 20 | c << 15 | _STORES[name] << 12 | low << 7 | 0x23
    if name in _BRANCHES:
        high = (c >> 12 & 1) << 6 | c >> 5 & 0x3F
        low = c & 0x1E | c >> 11 & 1
        return high << 25 | b << 20 | a << 15 | _BRANCHES[name] << 12 | low << 7 | 0x63
    if name == "jal":
        jump = (b >> 20 & 1) << 19 | (b >> 1 & 0x3FF) << 9 | (b >> 11 & 1) << 8 | b >> 12 & 0xFF
        return jump << 12 | a << 7 | 0x6F
    if name == "jalr":
        return (c & 0xFFF) << 20 | b << 15 | a << 7 | 0x67
    return b << 12 | a << 7 | {"lui": 0x37, "auipc": 0x17}[name]


def _number(word: str, labels: Mapping[str, int], here: int) -> int:
    if word in labels:
        return labels[word] - here
    return int(word[1:]) if word.startswith("x") else int(word, 0)


def expected(words: Mapping[int, int], base: int = 0) -> list[Store]:
    """Run a program on the model and return its stores."""
    memory = Memory(dict(words))
    registers = [0] * 32
    at = base
    while not memory.is_done:
        at = _step(memory, registers, at)
        registers[0] = 0
    return memory.stores


def _step(memory: Memory, registers: list[int], at: int) -> int:
    word = memory.read(at)
    target, kind, high = word >> 7 & 31, word >> 12 & 7, word >> 25
    left, right = registers[word >> 15 & 31], registers[word >> 20 & 31]
    immediate = _signed(word >> 20, 12)
    match word & 0x7F:
        case 0x33:
            registers[target] = _computed(kind, high, left, right)
        case 0x13:
            registers[target] = _computed(kind, high if kind == 5 else 0, left, immediate & _WORD)
        case 0x03:
            address = (left + immediate) & _WORD
            size = 8 << (kind & 3)
            value = memory.read(address) >> 8 * (address & 3) & ((1 << size) - 1)
            registers[target] = value if kind & 4 else _signed(value, size) & _WORD
        case 0x23:
            address = (left + (_signed(high, 7) << 5 | target)) & _WORD
            lane = address & 3
            memory.write(address, ((1 << (1 << kind)) - 1) << lane, right << 8 * lane & _WORD)
        case 0x63:
            taken = (
                left == right,
                _signed(left, 32) < _signed(right, 32),
                left < right,
            )[(0, 0, 1, 2)[kind >> 1] if kind else 0] != bool(kind & 1)
            far = _signed(high >> 6, 1) << 12 | (target & 1) << 11 | (high & 0x3F) << 5
            return at + (far | target & 0x1E) if taken else at + 4
        case 0x6F:
            registers[target] = at + 4
            far = _signed(word >> 31, 1) << 20 | word & 0xFF000
            return at + (far | (word >> 20 & 1) << 11 | word >> 20 & 0x7FE)
        case 0x67:
            registers[target] = at + 4
            return (left + immediate) & ~1
        case 0x37:
            registers[target] = word & 0xFFFFF000
        case 0x17:
            registers[target] = (at + (word & 0xFFFFF000)) & _WORD
    return at + 4


def _computed(kind: int, high: int, left: int, right: int) -> int:
    shift = right & 31
    right_shifted = (_signed(left, 32) if high else left) >> shift
    return (
        left - right if high else left + right,
        left << shift,
        int(_signed(left, 32) < _signed(right, 32)),
        int(left < right),
        left ^ right,
        right_shifted,
        left | right,
        left & right,
    )[kind] & _WORD


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value
