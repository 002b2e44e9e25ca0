/** How the experiments of {@code experiments io} measure: rounds in turns, JMH, and files that are always removed. */
@NullMarked
package io.penstock.experiments.io.measure;

import org.jspecify.annotations.NullMarked;
