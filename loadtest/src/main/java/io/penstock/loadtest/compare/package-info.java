/**
 * The command {@code loadtest compare}. A run has servers, works and rounds: each server does each {@linkplain
 * io.penstock.loadtest.compare.Work work} once in each round, in turns, and each turn has {@linkplain
 * io.penstock.loadtest.compare.Figure figures}. {@link io.penstock.loadtest.compare.Comparison} is the table of all comparisons. A new
 * work is an entry of {@link io.penstock.loadtest.compare.Works}, a new group of slow clients one of {@link
 * io.penstock.loadtest.compare.SlowClients}, and a new client one of {@link io.penstock.loadtest.compare.Client}.
 */
@NullMarked
package io.penstock.loadtest.compare;

import org.jspecify.annotations.NullMarked;
