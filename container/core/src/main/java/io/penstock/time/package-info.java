/** Clocks, a timer wheel for deadlines, and conversions of times. This package does not depend on any other package. */
@NullMarked
package io.penstock.time;

import org.jspecify.annotations.NullMarked;
