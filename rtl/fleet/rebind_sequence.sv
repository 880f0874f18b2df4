// SPDX-License-Identifier: Apache-2.0
//
// Moving memory from one tenant to another.
//
// Compares who can reach a block of memory with who should be able to in the current phase of the
// hand-over, and passes a verdict on the step. The hand-over can go wrong in its middle and at its
// end; both look the same from here: two tenants on one piece of memory.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `step`; only `double_binding_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   counters  saturate at 255; `n_unsafe` counts two owners whatever the verdict says
//   limits    each phase is judged alone, the order of phases is not. `double_binding_err` asks for
//             a step that was declared safe, so in the correct build it stays 0 and `n_unsafe` is
//             the only trace of a real double binding
//
//   phase            who may reach the memory
//   0 idle           the losing tenant, alone
//   1 quiesced       the losing tenant, alone
//   2 unbound        nobody
//   3 scrubbed       nobody
//   4 bound          the gaining tenant, alone
//   5 to 7           undefined: no access pattern is right
//
// Broken build, NO_INTERLOCK != 0: every step is declared safe. Each phase costs the hand-over one
// more software exchange, and issuing detach and attach together is the obvious saving.

`default_nettype none

module rebind_sequence #(
  parameter int NO_INTERLOCK = 0
) (
  input  logic       clk,
  input  logic       rst_n,
  input  logic       step,
  input  logic [2:0] phase,
  input  logic       old_can_access,
  input  logic       new_can_access,
  output logic       both_can_access,
  output logic       neither_owns,
  output logic       phase_consistent,
  output logic       safe_phase,
  output logic [7:0] n_steps,
  output logic [7:0] n_unsafe,
  output logic       double_binding_err
);

  localparam logic [2:0] Idle     = 3'd0;
  localparam logic [2:0] Quiesced = 3'd1;
  localparam logic [2:0] Unbound  = 3'd2;
  localparam logic [2:0] Scrubbed = 3'd3;
  localparam logic [2:0] Bound    = 3'd4;

  assign both_can_access = old_can_access && new_can_access;
  assign neither_owns    = !old_can_access && !new_can_access;

  logic old_prescribed, nobody_prescribed, new_prescribed;
  assign old_prescribed    = phase == Idle || phase == Quiesced;
  assign nobody_prescribed = phase == Unbound || phase == Scrubbed;
  assign new_prescribed    = phase == Bound;

  assign phase_consistent = (old_prescribed && old_can_access && !new_can_access)
                         || (nobody_prescribed && neither_owns)
                         || (new_prescribed && !old_can_access && new_can_access);

  assign safe_phase         = (NO_INTERLOCK != 0) ? 1'b1 : phase_consistent;
  assign double_binding_err = step && safe_phase && both_can_access;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_steps  <= 8'd0;
      n_unsafe <= 8'd0;
    end else if (step) begin
      if (n_steps != 8'hFF) n_steps <= n_steps + 8'd1;
      if (both_can_access && n_unsafe != 8'hFF) n_unsafe <= n_unsafe + 8'd1;
    end
  end

endmodule

`default_nettype wire
