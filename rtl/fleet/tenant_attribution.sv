// SPDX-License-Identifier: Apache-2.0
//
// Tying events to tenants.
//
// Counts events and, where the telemetry can, counts them per tenant. It also judges an
// operator's accusation: is the suspect the tenant that really caused the event?
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `event_valid`; only `misattribution_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the four counters and nothing else
//   units     tenant indices 0 to 15
//   counters  saturate at 255; credit follows the true cause, not the suspect; only tenants 0 and
//             1 have a counter of their own, the others show up in `n_attributed` alone
//
// Broken build, AGGREGATE_ONLY != 0: one total for the whole device, the cheapest counter to
// build and to read. It names nobody, so it never accuses wrongly: its error flag stays at 0
// while its data answers no question.

`default_nettype none

module tenant_attribution #(
  parameter int AGGREGATE_ONLY = 0
) (
  input  logic       clk,
  input  logic       rst_n,
  input  logic       event_valid,
  input  logic [3:0] tenant_id,
  input  logic [3:0] suspect_id,
  output logic       attributable,
  output logic       correct_suspect,
  output logic [7:0] n_events,
  output logic [7:0] n_attributed,
  output logic [7:0] t0_events,
  output logic [7:0] t1_events,
  output logic       misattribution_err
);

  assign attributable       = (AGGREGATE_ONLY == 0);
  assign correct_suspect    = attributable && suspect_id == tenant_id;
  assign misattribution_err = event_valid && attributable && !correct_suspect;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_events     <= 8'd0;
      n_attributed <= 8'd0;
      t0_events    <= 8'd0;
      t1_events    <= 8'd0;
    end else if (event_valid) begin
      if (n_events != 8'hFF) n_events <= n_events + 8'd1;
      if (attributable) begin
        if (n_attributed != 8'hFF) n_attributed <= n_attributed + 8'd1;
        if (tenant_id == 4'd0 && t0_events != 8'hFF) t0_events <= t0_events + 8'd1;
        if (tenant_id == 4'd1 && t1_events != 8'hFF) t1_events <= t1_events + 8'd1;
      end
    end
  end

endmodule

`default_nettype wire
