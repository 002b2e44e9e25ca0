/** The classes with which {@code experiments io} measures: alternating rounds, JMH, and a directory for temporary files. */
@NullMarked
package io.penstock.experiments.io.measure;

import org.jspecify.annotations.NullMarked;
