/**
 * The comparison in one table: many kinds of work, each a short one, in which servers take turns round by round; what each of them
 * makes of it, the ratio to the best, and the bar that Penstock is measured by.
 */
@NullMarked
package io.penstock.loadtest.compare.rows;

import org.jspecify.annotations.NullMarked;
