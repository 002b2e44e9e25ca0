/** Compares ways of appending to a file: with blocking calls, and asynchronously with three kinds of thread pools. */
@NullMarked
package io.penstock.experiments.io.appends;

import org.jspecify.annotations.NullMarked;
