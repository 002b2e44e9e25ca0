/** The command {@code loadtest run}, which measures a load on any URL. */
@NullMarked
package io.penstock.loadtest.run;

import org.jspecify.annotations.NullMarked;
