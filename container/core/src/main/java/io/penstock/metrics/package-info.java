/** Measures requests, in memory of fixed size. Writes the figures of the server as text that scrapers can read. */
@NullMarked
package io.penstock.metrics;

import org.jspecify.annotations.NullMarked;
