/** Writes the results of the kits of Jakarta specifications as a table into the documentation. */
@NullMarked
package io.penstock.tck;

import org.jspecify.annotations.NullMarked;
