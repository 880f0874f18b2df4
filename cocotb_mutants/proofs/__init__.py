# SPDX-License-Identifier: Apache-2.0
"""Decides of a survivor whether it is the same design: word-level folding, simulation, a solver."""
