# SPDX-License-Identifier: Apache-2.0
"""Benches and check plans of the fleet chapter, named after their modules."""
