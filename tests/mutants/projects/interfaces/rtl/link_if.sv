// SPDX-License-Identifier: Apache-2.0
// Data with a parity bit.
interface link_if;
  logic [7:0] data;
  logic       parity;

  function automatic logic good();
    return ^data == parity;
  endfunction

  modport sender(output data, output parity);
  modport receiver(input data, input parity, import good);
endinterface
