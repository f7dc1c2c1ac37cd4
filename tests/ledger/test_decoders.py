"""A class may be decoded by several threads from the first time on: a server's tablets all come back at once after a restart."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

_ROUNDS = 200
# A crash ends the process, so the threads run in another one. They change places as often as they can.
_PROGRAM = f"""
import sys, threading
from typing import Union
import msgspec
from ledger.decoders import convert, decode_json

def make_class():
    inner = msgspec.defstruct("Inner", [(f"field_{{number}}", Union[str, None], None) for number in range(40)])
    fields = [(f"inner_{{number}}", Union[inner, None], None) for number in range(3)]
    return msgspec.defstruct("Outer", fields + [(f"field_{{number}}", Union[int, str, None], None) for number in range(60)])

def read_once(value_class, barrier, read):
    barrier.wait()
    assert read(value_class).inner_0.field_39 == "x"

READS = {{
    "decode": lambda value_class: decode_json(b'{{"inner_0":{{"field_39":"x"}},"field_59":3}}', value_class),
    "convert": lambda value_class: convert({{"inner_0": {{"field_39": "x"}}, "field_59": 3}}, value_class),
}}
sys.setswitchinterval(1e-6)
for _ in range({_ROUNDS}):
    value_class, barrier = make_class(), threading.Barrier(4)
    threads = [threading.Thread(target=read_once, args=(value_class, barrier, READS[sys.argv[1]])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("done")
"""


@pytest.mark.parametrize("way", ["decode", "convert"])
def test_threads_may_decode_a_class_for_the_first_time_at_once(way: str) -> None:
    run = subprocess.run([sys.executable, "-c", _PROGRAM, way], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "done\n", "")
