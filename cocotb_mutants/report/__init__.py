# SPDX-License-Identifier: Apache-2.0
"""Renderers: each a function from the results of a campaign to text, and one that writes it."""
