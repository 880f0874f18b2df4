// SPDX-License-Identifier: Apache-2.0
//
// One link, two tenants, one entitlement.
//
// A is entitled to a percentage of the link and B takes what A leaves. The block reports how far
// B falls short, and separately whether A is to blame: a shortfall with A inside its entitlement
// is ordinary contention, a shortfall with A above it is starvation.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `cycle_en`; only `starvation_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     Gbps; `a_share_pct` in percent of the link, values above 100 mean the whole link;
//             `a_cap` is rounded down
//   bound     a_served + b_served never exceeds link_gbps
//   counters  saturate at 255
//   limits    the entitlement is a ceiling in the correct build even when B is silent
//
// Broken build, NO_ARBITER != 0: A is held only by the link itself. Leaving the arbiter out saves
// its area and its design time, and a bench whose link is never full cannot tell the difference.

`default_nettype none

module bandwidth_share #(
  parameter int NO_ARBITER = 0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        cycle_en,
  input  logic [15:0] a_demand,
  input  logic [15:0] b_demand,
  input  logic [15:0] link_gbps,
  input  logic [7:0]  a_share_pct,
  output logic [15:0] a_cap,
  output logic [15:0] a_served,
  output logic [15:0] b_served,
  output logic [15:0] b_starved_by,
  output logic [7:0]  n_cycles,
  output logic [7:0]  n_starved,
  output logic        starvation_err
);

  // Nobody can own more than the whole link; this also keeps a_cap inside its 16 bits.
  logic [7:0] share_pct;
  assign share_pct = (a_share_pct > 8'd100) ? 8'd100 : a_share_pct;
  assign a_cap     = 16'(32'(link_gbps) * 32'(share_pct) / 32'd100);

  logic [15:0] a_limit;
  assign a_limit  = (NO_ARBITER != 0) ? link_gbps : a_cap;
  assign a_served = (a_demand < a_limit) ? a_demand : a_limit;

  logic [15:0] left;
  assign left         = link_gbps - a_served;
  assign b_served     = (b_demand < left) ? b_demand : left;
  assign b_starved_by = b_demand - b_served;

  logic starved_by_a;
  assign starved_by_a   = b_served < b_demand && a_served > a_cap;
  assign starvation_err = cycle_en && starved_by_a;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_cycles  <= 8'd0;
      n_starved <= 8'd0;
    end else if (cycle_en) begin
      if (n_cycles != 8'hFF) n_cycles <= n_cycles + 8'd1;
      if (starved_by_a && n_starved != 8'hFF) n_starved <= n_starved + 8'd1;
    end
  end

endmodule

`default_nettype wire
