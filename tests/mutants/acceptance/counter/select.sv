// SPDX-License-Identifier: Apache-2.0
package cocotb_mutants_select;
  int unsigned sel /* verilator public_flat_rw */;
endpackage
