# SPDX-License-Identifier: Apache-2.0
"""Reference models: what each module should do, in plain Python that knows no simulator."""
