/** Clock, deadlines and the timer wheel. Depends on no other package. */
@NullMarked
package io.penstock.time;

import org.jspecify.annotations.NullMarked;
