# SPDX-License-Identifier: Apache-2.0
"""Everything that runs inside the simulator's own Python, beside cocotb and the bench."""
