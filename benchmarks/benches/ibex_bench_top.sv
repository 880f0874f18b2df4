// SPDX-License-Identifier: Apache-2.0
// ibex_core with its register file, and nothing on what the bench does not use.
module ibex_bench_top
  import ibex_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_ni,
    output logic        instr_req_o,
    input  logic        instr_gnt_i,
    input  logic        instr_rvalid_i,
    output logic [31:0] instr_addr_o,
    input  logic [31:0] instr_rdata_i,
    output logic        data_req_o,
    input  logic        data_gnt_i,
    input  logic        data_rvalid_i,
    output logic        data_we_o,
    output logic [ 3:0] data_be_o,
    output logic [31:0] data_addr_o,
    output logic [31:0] data_wdata_o,
    input  logic [31:0] data_rdata_i,
    output logic        alert_major_internal_o
);
  logic [4:0] raddr_a, raddr_b, waddr;
  logic we;
  logic [31:0] wdata, rdata_a, rdata_b;
  logic [IC_TAG_SIZE-1:0] tag[IC_NUM_WAYS];
  logic [IC_LINE_SIZE-1:0] line[IC_NUM_WAYS];

  for (genvar way = 0; way < IC_NUM_WAYS; way++) begin : gen_no_cache
    assign tag[way]  = '0;
    assign line[way] = '0;
  end

  ibex_core u_ibex_core (
      .clk_i,
      .rst_ni,
      .hart_id_i(32'd0),
      .boot_addr_i(32'd0),
      .instr_req_o,
      .instr_gnt_i,
      .instr_rvalid_i,
      .instr_addr_o,
      .instr_rdata_i,
      .instr_err_i(1'b0),
      .data_req_o,
      .data_gnt_i,
      .data_rvalid_i,
      .data_we_o,
      .data_be_o,
      .data_addr_o,
      .data_wdata_o,
      .data_rdata_i,
      .data_err_i(1'b0),
      .dummy_instr_id_o(),
      .dummy_instr_wb_o(),
      .rf_raddr_a_o(raddr_a),
      .rf_raddr_b_o(raddr_b),
      .rf_waddr_wb_o(waddr),
      .rf_we_wb_o(we),
      .rf_wdata_wb_ecc_o(wdata),
      .rf_rdata_a_ecc_i(rdata_a),
      .rf_rdata_b_ecc_i(rdata_b),
      .ic_tag_req_o(),
      .ic_tag_write_o(),
      .ic_tag_addr_o(),
      .ic_tag_wdata_o(),
      .ic_tag_rdata_i(tag),
      .ic_data_req_o(),
      .ic_data_write_o(),
      .ic_data_addr_o(),
      .ic_data_wdata_o(),
      .ic_data_rdata_i(line),
      .ic_scr_key_valid_i(1'b0),
      .ic_scr_key_req_o(),
      .irq_software_i(1'b0),
      .irq_timer_i(1'b0),
      .irq_external_i(1'b0),
      .irq_fast_i(15'd0),
      .irq_nm_i(1'b0),
      .irq_pending_o(),
      .debug_req_i(1'b0),
      .crash_dump_o(),
      .double_fault_seen_o(),
      .fetch_enable_i(IbexMuBiOn),
      .alert_minor_o(),
      .alert_major_internal_o,
      .alert_major_bus_o(),
      .core_busy_o()
  );

  ibex_register_file_ff registers (
      .clk_i,
      .rst_ni,
      .test_en_i(1'b0),
      .dummy_instr_id_i(1'b0),
      .dummy_instr_wb_i(1'b0),
      .raddr_a_i(raddr_a),
      .rdata_a_o(rdata_a),
      .raddr_b_i(raddr_b),
      .rdata_b_o(rdata_b),
      .waddr_a_i(waddr),
      .wdata_a_i(wdata),
      .we_a_i(we),
      .err_o()
  );
endmodule
