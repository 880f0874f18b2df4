# SPDX-License-Identifier: Apache-2.0
"""Models of the fleet chapter, one file a module, under the module's own name."""
