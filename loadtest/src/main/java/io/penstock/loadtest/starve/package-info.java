/** Finds the number of slow clients at which a server stops answering others, within a bound on what is sent. */
@NullMarked
package io.penstock.loadtest.starve;

import org.jspecify.annotations.NullMarked;
