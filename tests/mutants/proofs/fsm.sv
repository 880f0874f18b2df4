// SPDX-License-Identifier: Apache-2.0
// A state machine with an enum, a one-hot ring, and a mode that a synchronous reset clears.
package fsm_states;
  typedef enum logic [1:0] {IDLE = 2'd0, LOAD = 2'd1, RUN = 2'd2} state_t;
endpackage

module fsm import fsm_states::*; (
  input  logic clock,
  input  logic reset,
  input  logic go, stop,
  input  logic [3:0] n,
  output logic busy, done, odd,
  output logic [3:0] left,
  output logic [3:0] ring,
  output logic ring_ok
);
  state_t state;
  always_ff @(posedge clock) begin
    if (reset) begin
      state <= IDLE;
      left  <= 4'd0;
      ring  <= 4'b0001;
      odd   <= 1'b0;
    end else begin
      ring <= {ring[2:0], ring[3]};
      case (state)
        IDLE: if (go) state <= LOAD;
        LOAD: begin
          left  <= n;
          odd   <= n[0];
          state <= RUN;
        end
        RUN: begin
          if (stop || left == 4'd0) state <= IDLE;
          else left <= left - 4'd1;
        end
        default: state <= IDLE;
      endcase
    end
  end
  assign busy    = (state != IDLE);
  assign done    = (state == RUN) && (left == 4'd0);
  assign ring_ok = (ring == 4'b0001) || (ring == 4'b0010) || (ring == 4'b0100) || (ring == 4'b1000);
endmodule
