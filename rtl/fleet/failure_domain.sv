// SPDX-License-Identifier: Apache-2.0
//
// What one device failure costs.
//
// For a fleet of identical devices: how many tenants go down with the fullest device, which share
// of the fleet that is, and whether it is a majority.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `fail`; without it nothing is lost
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     tenants, devices; `loss_pct` in percent of the fleet, rounded down
//   majority  judged on the tenants themselves (twice the loss above the total), not on the
//             rounded percentage: 26 of 51 is a majority and reads 50
//   counters  saturate at 255
//   limits    without devices nobody is placed, so nobody is lost and everybody survives
//
//   16 tenants on 3 devices -> the fullest holds 6 (rounded up), 37 percent (rounded down)
//
// Broken build, PACK_DENSELY != 0: every tenant sits on one device, the cheapest packing there is.
// It looks the same until that device fails, and no device can see it coming.

`default_nettype none

module failure_domain #(
  parameter int PACK_DENSELY = 0
) (
  input  logic       clk,
  input  logic       rst_n,
  input  logic       fail,
  input  logic [7:0] tenants_total,
  input  logic [7:0] devices_total,
  output logic [7:0] per_device,
  output logic [7:0] tenants_lost,
  output logic [7:0] survivors,
  output logic [7:0] loss_pct,
  output logic [7:0] n_failures,
  output logic [7:0] n_majority_loss,
  output logic       majority_loss_err
);

  // The ceiling division adds before it divides: 255 + 255 - 1 needs the ninth bit.
  logic [8:0] padded;
  assign padded = 9'(tenants_total) + 9'(devices_total) - 9'd1;

  logic [7:0] placed;
  assign placed     = (PACK_DENSELY != 0) ? tenants_total : 8'(padded / 9'(devices_total));
  assign per_device = (devices_total == 8'd0) ? 8'd0 : placed;

  // The loss cannot exceed the total, so neither a floor nor a ceiling is needed below.
  assign tenants_lost = fail ? per_device : 8'd0;
  assign survivors    = tenants_total - tenants_lost;
  assign loss_pct     = (tenants_total == 8'd0) ? 8'd0
                                                : 8'(16'd100 * 16'(tenants_lost) / 16'(tenants_total));

  assign majority_loss_err = fail && {tenants_lost, 1'b0} > {1'b0, tenants_total};

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_failures      <= 8'd0;
      n_majority_loss <= 8'd0;
    end else if (fail) begin
      if (n_failures != 8'hFF) n_failures <= n_failures + 8'd1;
      if (majority_loss_err && n_majority_loss != 8'hFF) n_majority_loss <= n_majority_loss + 8'd1;
    end
  end

endmodule

`default_nettype wire
