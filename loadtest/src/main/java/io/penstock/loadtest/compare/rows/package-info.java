/**
 * The comparison of servers in one table. It consists of many short {@linkplain io.penstock.loadtest.compare.rows.Work works}. For each
 * work, the servers are measured in turns, in several rounds. The table has the figures of each server, the ratio to the best other server,
 * and the target ("bar") for Penstock.
 */
@NullMarked
package io.penstock.loadtest.compare.rows;

import org.jspecify.annotations.NullMarked;
