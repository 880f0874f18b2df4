# SPDX-License-Identifier: Apache-2.0
"""A bench that cannot be imported."""

from __future__ import annotations

import no_such_module  # noqa: F401
