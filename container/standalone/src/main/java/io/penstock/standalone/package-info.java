/** The command line of {@code penstock.jar}. */
@NullMarked
package io.penstock.standalone;

import org.jspecify.annotations.NullMarked;
