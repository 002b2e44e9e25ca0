/** Writes the results of the Servlet TCK as a table into the documentation. */
@NullMarked
package io.penstock.tck;

import org.jspecify.annotations.NullMarked;
