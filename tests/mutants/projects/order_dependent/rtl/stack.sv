// SPDX-License-Identifier: Apache-2.0
// Counts what is put on and taken off; without a reset.
module stack (
    input  wire        clk_i,
    input  wire        put_i,
    input  wire        take_i,
    output logic [3:0] level_o,
    output logic       empty_o,
    output logic       full_o
);
  logic [3:0] level_q = 4'd0;

  always_ff @(posedge clk_i) begin
    if (put_i && !take_i) level_q <= level_q + 4'd1;
    else if (take_i && level_q > 4'd0) level_q <= level_q - 4'd1;
  end

  assign level_o = level_q;
  assign empty_o = level_q == 4'd0;
  assign full_o  = level_q == 4'd15;
endmodule
