/** The command {@code run}: a load on any URL, and what came of it. */
@NullMarked
package io.penstock.loadtest.run;

import org.jspecify.annotations.NullMarked;
