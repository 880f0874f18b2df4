// SPDX-License-Identifier: Apache-2.0
// A traffic lamp: the next colour to each.
`default_nettype none

module lamp (
    input  wire  [1:0] now_i,
    output logic [1:0] next_o
);
  localparam logic [1:0] Red = 2'd0, Green = 2'd1, Yellow = 2'd2;

  always_comb begin
    case (now_i)
      Red:     next_o = Green;
      Green:   next_o = Yellow;
      default: next_o = Red;
    endcase
  end
endmodule

`default_nettype wire
