# SPDX-License-Identifier: Apache-2.0
"""A bench that starts a thread when it is imported."""

from __future__ import annotations

import threading

from bench import counts_when_enabled, resets_to_zero, start

__all__ = ["counts_when_enabled", "resets_to_zero", "start"]

threading.Thread(target=threading.Event().wait, name="watcher", daemon=True).start()
