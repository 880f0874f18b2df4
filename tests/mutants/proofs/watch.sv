// SPDX-License-Identifier: Apache-2.0
// Old and deep: a timer that fires after 200 cycles, and a fault that only a second reset shows.
module watch (
  input  logic clk, rst_n,
  input  logic kick, hold,
  output logic fired,
  output logic [1:0] history,
  output logic seen
);
  logic [7:0] timer;
  logic [4:0] age;
  logic old;
  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      timer <= 8'd0;
      age   <= 5'd0;
      old   <= 1'b0;
      seen  <= 1'b0;
    end else begin
      if (kick) timer <= 8'd0;
      else if (timer != 8'd200) timer <= timer + 8'd1;
      if (age != 5'd20) age <= age + 5'd1;
      else old <= 1'b1;
      if (hold) seen <= 1'b1;
    end
  end
  assign fired   = (timer == 8'd200);
  assign history = {old, old && hold};
endmodule
