/**
 * The comparison in one table: many kinds of short work, in which servers take turns round by round. The table has the figures of
 * each server, the ratio to the best, and the bar for Penstock.
 */
@NullMarked
package io.penstock.loadtest.compare.rows;

import org.jspecify.annotations.NullMarked;
