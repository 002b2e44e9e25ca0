/** Measurements of requests, in memory of fixed size, and the text formats of figures for scrapers. */
@NullMarked
package io.penstock.metrics;

import org.jspecify.annotations.NullMarked;
