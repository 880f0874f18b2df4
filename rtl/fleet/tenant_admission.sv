// SPDX-License-Identifier: Apache-2.0
//
// Admission of one tenant to one device.
//
// Two questions are asked about the candidate device: is there room (`fits`), and does it take
// this kind of tenant (`class_allowed`). Both answers leave the block, so that whoever reads a
// refusal can see which one caused it.
//
// Contract
//   latency   answers are combinational, in the cycle of the request; counters move at the
//             rising edge that ends it
//   enable    `request`; `fits` and `class_allowed` answer without it
//   reset     `rst_n` low, asynchronous, clears the two counters and nothing else
//   units     memory in GB; class codes 0 to 3 stand for mask bits 0 to 3, and codes 4 to 15
//             stand for no bit at all and are never allowed
//   counters  saturate at 255
//   nothing is reserved: the next request sees whatever `dev_free_gb` its driver shows it
//
// Broken build, CAPACITY_ONLY != 0: the class answer is worked out and then ignored. That is the
// scheduler of a fleet that had one kind of device and one kind of customer; the day a second
// kind arrives nothing fails, and no test on a roomy device ever did.

`default_nettype none

module tenant_admission #(
  parameter int CAPACITY_ONLY = 0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        request,
  input  logic [15:0] want_gb,
  input  logic [15:0] dev_free_gb,
  input  logic [3:0]  tenant_class,
  input  logic [3:0]  dev_class_mask,
  output logic        fits,
  output logic        class_allowed,
  output logic        admitted,
  output logic [7:0]  n_requests,
  output logic [7:0]  n_rejected,
  output logic        policy_violation_err
);

  // One bit for each class code that can be written: the twelve codes without a mask bit read 0.
  logic [15:0] accepts;
  assign accepts = {12'd0, dev_class_mask};

  assign fits          = want_gb <= dev_free_gb;
  assign class_allowed = accepts[tenant_class];
  assign admitted      = (CAPACITY_ONLY != 0) ? request && fits
                                              : request && fits && class_allowed;

  assign policy_violation_err = admitted && !class_allowed;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      n_requests <= 8'd0;
      n_rejected <= 8'd0;
    end else if (request) begin
      if (n_requests != 8'hFF) n_requests <= n_requests + 8'd1;
      if (!admitted && n_rejected != 8'hFF) n_rejected <= n_rejected + 8'd1;
    end
  end

endmodule

`default_nettype wire
