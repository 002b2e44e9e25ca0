package io.penstock.loadtest.compare;

/**
 * A row of the table with targets: one figure of one work, and its {@link Bar}.
 *
 * @param work the {@linkplain Work#id() name} of the work
 */
record Row(String work, Figure figure, Bar bar) {}
