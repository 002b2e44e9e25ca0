/**
 * The part that all comparisons share: the options, the list of servers, the repetition of disturbed runs, and the output of partial
 * results.
 */
@NullMarked
package io.penstock.loadtest.compare.setup;

import org.jspecify.annotations.NullMarked;
