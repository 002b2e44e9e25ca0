/** Clock, deadlines and the timer wheel. Knows nothing of the rest of the house. */
@NullMarked
package io.penstock.time;

import org.jspecify.annotations.NullMarked;
