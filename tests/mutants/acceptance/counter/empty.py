# SPDX-License-Identifier: Apache-2.0
"""A bench without a test."""
