// SPDX-License-Identifier: Apache-2.0
  initial if (Ceiling <= 3) $fatal(1, "the ceiling is below the floor");
