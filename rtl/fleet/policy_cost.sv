// SPDX-License-Identifier: Apache-2.0
//
// Latency of the policy engine.
//
// Adds the time that policy checks take to the time an allocation takes anyway, and compares the
// sum with a budget.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `alloc`; only `budget_miss_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     microseconds; `overhead_pct` is the policy's part of the total (not of the base) in
//             percent, rounded down, and 0 when the total is 0
//   range     the sum is exact: `total_us` stops at 65535, while the verdict and the overhead are
//             taken from the true sum
//   counters  saturate at 255
//
//   base 100, twelve checks of 10, side by side  -> total 110, overhead 9
//   base 100, twelve checks of 10, in turn       -> total 220, overhead 54
//
// Broken build, SERIAL_CHECKS != 0: one check after another, as any chain of function calls does
// it. With the handful of checks a project starts with, it is inside the budget.

`default_nettype none

module policy_cost #(
  parameter int SERIAL_CHECKS = 0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        alloc,
  input  logic [7:0]  n_checks,
  input  logic [7:0]  per_check_us,
  input  logic [15:0] base_alloc_us,
  input  logic [15:0] budget_us,
  output logic [15:0] policy_us,
  output logic [15:0] total_us,
  output logic [15:0] overhead_pct,
  output logic        budget_met,
  output logic [7:0]  n_allocs,
  output logic [7:0]  n_over_budget,
  output logic        budget_miss_err
);

  logic [15:0] parallel_us, serial_us;
  assign parallel_us = (n_checks == 8'd0) ? 16'd0 : 16'(per_check_us);
  assign serial_us   = 16'(n_checks) * 16'(per_check_us);
  assign policy_us   = (SERIAL_CHECKS != 0) ? serial_us : parallel_us;

  // The true sum needs a seventeenth bit; a wrapped one would meet any budget.
  logic [16:0] total;
  assign total    = 17'(base_alloc_us) + 17'(policy_us);
  assign total_us = total[16] ? 16'hFFFF : total[15:0];

  assign overhead_pct = (total == 17'd0) ? 16'd0 : 16'(32'd100 * 32'(policy_us) / 32'(total));

  assign budget_met      = total <= 17'(budget_us);
  assign budget_miss_err = alloc && !budget_met;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_allocs      <= 8'd0;
      n_over_budget <= 8'd0;
    end else if (alloc) begin
      if (n_allocs != 8'hFF) n_allocs <= n_allocs + 8'd1;
      if (!budget_met && n_over_budget != 8'hFF) n_over_budget <= n_over_budget + 8'd1;
    end
  end

endmodule

`default_nettype wire
