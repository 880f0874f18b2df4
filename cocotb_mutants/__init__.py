# SPDX-License-Identifier: Apache-2.0
"""Mutation testing for cocotb projects: plants faults in RTL and says which go unnoticed."""
