/** The command {@code run}: a load on any URL, and its result. */
@NullMarked
package io.penstock.loadtest.run;

import org.jspecify.annotations.NullMarked;
