/** The part that the scenarios share: their options, the servers that take part, and the statistics of repeated runs. */
@NullMarked
package io.penstock.loadtest.compare.setup;

import org.jspecify.annotations.NullMarked;
