/** The measurement of {@code experiments io}: alternating rounds, JMH, and files that are always removed. */
@NullMarked
package io.penstock.experiments.io.measure;

import org.jspecify.annotations.NullMarked;
