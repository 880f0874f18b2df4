# SPDX-License-Identifier: Apache-2.0
"""``python -m tb``: the commands behind the Makefile."""

from tb.cli import main

main()
