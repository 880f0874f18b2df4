// SPDX-License-Identifier: Apache-2.0
//
// Weighted split of a budget between two requesters.
//
// A is entitled to its weighted part of the budget and may also have whatever B does not ask for;
// B takes what is left. An arbitration in which A got more than its part while B went short is
// flagged as unfair.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `arb_en`; only `unfairness_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     units of budget; weights are relative; `a_entitled` is rounded down and is 0 when
//             both weights are 0
//   bound     a_grant + b_grant = min(a_req + b_req, budget): no unit idles while somebody asks
//   counters  saturate at 255
//   limits    rounding favours B: a weight too small for one whole unit earns none, and no
//             remainder is carried to the next arbitration. The flag looks at A's side only
//
// Broken build, FIRST_COME != 0: A is served up to the budget whatever B asks for. It is the
// simplest arbiter there is, and perfectly fair as long as requests never collide.

`default_nettype none

module fair_scheduler #(
  parameter int FIRST_COME = 0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        arb_en,
  input  logic [7:0]  a_weight,
  input  logic [7:0]  b_weight,
  input  logic [15:0] a_req,
  input  logic [15:0] b_req,
  input  logic [15:0] budget,
  output logic [15:0] a_entitled,
  output logic [15:0] a_grant,
  output logic [15:0] b_grant,
  output logic        a_over_entitlement,
  output logic [7:0]  n_arb,
  output logic [7:0]  n_unfair,
  output logic        unfairness_err
);

  logic [8:0] weight_sum;
  assign weight_sum = 9'(a_weight) + 9'(b_weight);
  assign a_entitled = (weight_sum == 9'd0) ? 16'd0
                                           : 16'(32'(budget) * 32'(a_weight) / 32'(weight_sum));

  // What B leaves on the table is A's to take: holding A to its part would leave it idle.
  logic [15:0] b_leaves;
  assign b_leaves = (b_req < budget) ? budget - b_req : 16'd0;

  logic [15:0] a_fair_limit, a_limit;
  assign a_fair_limit = (b_leaves > a_entitled) ? b_leaves : a_entitled;
  assign a_limit      = (FIRST_COME != 0) ? budget : a_fair_limit;
  assign a_grant      = (a_req < a_limit) ? a_req : a_limit;

  logic [15:0] left;
  assign left    = budget - a_grant;
  assign b_grant = (b_req < left) ? b_req : left;

  logic unfair;
  assign a_over_entitlement = a_grant > a_entitled;
  assign unfair             = a_over_entitlement && b_grant < b_req;
  assign unfairness_err     = arb_en && unfair;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_arb    <= 8'd0;
      n_unfair <= 8'd0;
    end else if (arb_en) begin
      if (n_arb != 8'hFF) n_arb <= n_arb + 8'd1;
      if (unfair && n_unfair != 8'hFF) n_unfair <= n_unfair + 8'd1;
    end
  end

endmodule

`default_nettype wire
