# SPDX-License-Identifier: Apache-2.0
"""`python -m cocotb_mutants` is the command `cocotb-mutants`."""

from cocotb_mutants.cli import main

if __name__ == "__main__":
    main()
