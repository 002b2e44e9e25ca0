package io.penstock.experiments.io.measure;

/**
 * One measured quantity of one way.
 *
 * @param way its name in the table
 * @param quantity the measured quantity, such as {@code copy 16 MB}
 * @param unit of the samples
 * @param samples one for each round or iteration, at least one
 */
public record Figure(String way, String quantity, String unit, Samples samples) {}
