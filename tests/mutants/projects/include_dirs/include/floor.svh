// SPDX-License-Identifier: Apache-2.0
`define FLOOR 4'd3
