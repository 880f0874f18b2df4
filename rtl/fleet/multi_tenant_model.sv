// SPDX-License-Identifier: Apache-2.0
//
// Verdict on a whole environment.
//
// Six properties make a multi-tenant environment sound. This block lists which of them are missing
// and says whether the environment may be called sound.
//
// Contract
//   latency   combinational; counters move at the rising edge
//   enable    `evaluate`; only `false_soundness_err` and the counters look at it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   counters  saturate at 255
//
//   fail_mask bit   missing property
//   0               isolation
//   1               placement policy
//   2               bandwidth shares
//   3               attribution
//   4               graceful reclaim
//   5               bounded blast radius
//
// Broken build, ISOLATION_ONLY != 0: isolation alone is taken for soundness. It is the property
// everybody understands and has tools for, and each tenant taken alone is fine.

`default_nettype none

module multi_tenant_model #(
  parameter int ISOLATION_ONLY = 0
) (
  input  logic       clk,
  input  logic       rst_n,
  input  logic       evaluate,
  input  logic       tenants_isolated,
  input  logic       policy_admitted,
  input  logic       shares_enforced,
  input  logic       events_attributed,
  input  logic       reclaim_graceful,
  input  logic       blast_bounded,
  output logic       sound,
  output logic [5:0] fail_mask,
  output logic [7:0] n_eval,
  output logic [7:0] n_sound,
  output logic       false_soundness_err
);

  assign fail_mask = {!blast_bounded,
                      !reclaim_graceful,
                      !events_attributed,
                      !shares_enforced,
                      !policy_admitted,
                      !tenants_isolated};

  assign sound               = (ISOLATION_ONLY != 0) ? tenants_isolated : fail_mask == 6'd0;
  assign false_soundness_err = evaluate && sound && fail_mask != 6'd0;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_eval  <= 8'd0;
      n_sound <= 8'd0;
    end else if (evaluate) begin
      if (n_eval != 8'hFF) n_eval <= n_eval + 8'd1;
      if (sound && n_sound != 8'hFF) n_sound <= n_sound + 8'd1;
    end
  end

endmodule

`default_nettype wire
