# SPDX-License-Identifier: Apache-2.0
"""Benches, and the few parts that all of them share."""
