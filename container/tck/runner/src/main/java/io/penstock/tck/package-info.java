/** What the runs of the Servlet TCK say, as a table that stays in the documents. */
@NullMarked
package io.penstock.tck;

import org.jspecify.annotations.NullMarked;
