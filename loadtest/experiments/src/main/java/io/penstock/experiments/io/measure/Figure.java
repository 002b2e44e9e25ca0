package io.penstock.experiments.io.measure;

/**
 * One measured quantity of one of the compared ways, such as one way to copy a file.
 *
 * @param way the name of the way in the table
 * @param quantity the measured quantity, such as {@code copy 16 MB}
 * @param unit the unit of the samples
 * @param samples the samples, at least one; there is one sample for each round or iteration
 */
public record Figure(String way, String quantity, String unit, Samples samples) {}
