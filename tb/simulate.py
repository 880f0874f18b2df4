# SPDX-License-Identifier: Apache-2.0
"""One call of cocotb's runner, in a process of its own: ``python -m tb.simulate CALL``.

*CALL* is JSON: the simulator, ``build`` or ``test``, and the arguments of that method. A process of
its own can be given a time limit and be ended as a group, and keeps the runner's habits (it reads
the environment of whoever calls it, and leaves by ``SystemExit``) away from the caller.
"""

from __future__ import annotations

import json
import sys

from cocotb_tools.runner import get_runner


def main(call: str) -> None:
    """Make the call; the exit code is the runner's."""
    request = json.loads(call)
    runner = get_runner(request["simulator"])
    getattr(runner, request["method"])(**request["arguments"])


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except RuntimeError as failed:
        sys.exit(str(failed))
