# SPDX-License-Identifier: Apache-2.0
"""Hypothesis profile of the model tests: reproducible where ``CI`` is set, searching elsewhere."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile(
    "ci", deadline=None, max_examples=200, derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("ci")
