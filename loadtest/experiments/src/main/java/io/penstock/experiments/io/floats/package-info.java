/**
 * Compares ways of writing and reading an array of floats: one by one through a data stream, and as one block through a view of a buffer.
 */
@NullMarked
package io.penstock.experiments.io.floats;

import org.jspecify.annotations.NullMarked;
