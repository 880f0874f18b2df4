// SPDX-License-Identifier: Apache-2.0
//
// Taking memory back from a tenant.
//
// Says whether memory may be taken now and whether taking it would be civil. Either of two things
// makes it civil: the tenant has acknowledged, or its notice has run out. Asking for both would
// wait for ever on a tenant that has died.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `reclaim_req`; only `abrupt_eviction_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     cycles; the notice has run out when `elapsed_cycles` equals its length, so a notice
//             of zero has run out at once. `elapsed_cycles` is kept outside: whoever lets it wrap
//             starts the notice again
//   counters  saturate at 255; `n_reclaims` counts requests, refused ones included
//
//   elapsed 9, notice 10, no acknowledgement -> wait
//   elapsed 10, notice 10, no acknowledgement -> may be taken
//
// Broken build, IMMEDIATE_RECLAIM != 0: permission is always given. The operator's tool unmaps
// first and tells the tenant later; on a test bench full of idle tenants nobody is hurt.

`default_nettype none

module eviction_policy #(
  parameter int IMMEDIATE_RECLAIM = 0
) (
  input  logic       clk,
  input  logic       rst_n,
  input  logic       reclaim_req,
  input  logic       tenant_acked,
  input  logic [7:0] notice_cycles,
  input  logic [7:0] elapsed_cycles,
  output logic       notice_expired,
  output logic       may_reclaim,
  output logic       graceful,
  output logic [7:0] n_reclaims,
  output logic [7:0] n_forced,
  output logic       abrupt_eviction_err
);

  assign notice_expired = elapsed_cycles >= notice_cycles;
  assign graceful       = tenant_acked || notice_expired;

  // Permission is worked out apart from grace: if it were read off `graceful`, the flag below could
  // never tell that one of the two had gone wrong.
  assign may_reclaim    = (IMMEDIATE_RECLAIM != 0) ? 1'b1 : tenant_acked || notice_expired;

  logic taken_by_force;
  assign taken_by_force      = may_reclaim && !graceful;
  assign abrupt_eviction_err = reclaim_req && taken_by_force;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_reclaims <= 8'd0;
      n_forced   <= 8'd0;
    end else if (reclaim_req) begin
      if (n_reclaims != 8'hFF) n_reclaims <= n_reclaims + 8'd1;
      if (taken_by_force && n_forced != 8'hFF) n_forced <= n_forced + 8'd1;
    end
  end

endmodule

`default_nettype wire
