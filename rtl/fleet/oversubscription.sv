// SPDX-License-Identifier: Apache-2.0
//
// Promised, used and available memory of a shared pool.
//
// A single "free memory" number cannot tell three situations apart: more promised than exists
// and all well, full with every promise kept, and full with promises still outstanding. This
// block compares the three totals (pool, quotas, recorded use) and names each of them.
//
// Contract
//   latency   flags, amounts and ratio are combinational; counters move at the rising edge
//   enable    `step`; only `broken_promise_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     GB; `ratio_x100` in percent, rounded down, at most 65535, and 0 for an empty pool
//   counters  saturate at 255
//   limits    totals only: which tenant holds what is not known here, so a tenant above its quota
//             can lock another out unseen
//
// Broken build, PROMISE_ALL != 0: `can_promise_more` is always 1. A quota is a number in a
// database; an allocator that reserves nothing when it writes that number has no reason to
// refuse the next one. No other output differs.

`default_nettype none

module oversubscription #(
  parameter int PROMISE_ALL = 0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        step,
  input  logic [15:0] pool_gb,
  input  logic [15:0] sum_quota_gb,
  input  logic [15:0] sum_used_gb,
  output logic        oversubscribed,
  output logic        pool_exhausted,
  output logic        can_promise_more,
  output logic [15:0] committed_gb,
  output logic [15:0] free_gb,
  output logic [15:0] ratio_x100,
  output logic [7:0]  n_steps,
  output logic [7:0]  n_exhausted,
  output logic        broken_promise_err
);

  assign oversubscribed = sum_quota_gb > pool_gb;
  assign pool_exhausted = sum_used_gb >= pool_gb;

  // Another promise needs room for at least one GB of it, in the quotas and in the memory.
  assign can_promise_more = (PROMISE_ALL != 0) ? 1'b1
                                               : sum_quota_gb < pool_gb && !pool_exhausted;

  assign committed_gb = sum_quota_gb;
  assign free_gb      = pool_exhausted ? 16'd0 : pool_gb - sum_used_gb;

  // 100 * 65535 needs 23 bits, so the product is exact before it is divided.
  logic [31:0] ratio;
  assign ratio      = (pool_gb == 16'd0) ? 32'd0 : 32'd100 * 32'(sum_quota_gb) / 32'(pool_gb);
  assign ratio_x100 = (ratio > 32'd65535) ? 16'hFFFF : 16'(ratio);

  assign broken_promise_err = step && pool_exhausted && oversubscribed;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_steps     <= 8'd0;
      n_exhausted <= 8'd0;
    end else if (step) begin
      if (n_steps != 8'hFF) n_steps <= n_steps + 8'd1;
      if (pool_exhausted && n_exhausted != 8'hFF) n_exhausted <= n_exhausted + 8'd1;
    end
  end

endmodule

`default_nettype wire
