/**
 * The command {@code loadtest compare}. A run has servers, works and rounds: each server does each {@linkplain
 * io.penstock.loadtest.compare.Work work} once in each round, in turns, and each turn has {@linkplain
 * io.penstock.loadtest.compare.Figure figures}. {@link io.penstock.loadtest.compare.Comparison} is the table of all comparisons. A new
 * work is an entry of {@link io.penstock.loadtest.compare.Works}, a new kind of slow client one of {@link
 * io.penstock.loadtest.crowd.SlowClient}, and a new client one of {@link io.penstock.loadtest.compare.Client}.
 */
@NullMarked
package io.penstock.loadtest.compare;

import org.jspecify.annotations.NullMarked;
