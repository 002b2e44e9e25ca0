/** Finds the number of slow clients at which a server stops answering other clients. Bounds limit the search. */
@NullMarked
package io.penstock.loadtest.starve;

import org.jspecify.annotations.NullMarked;
