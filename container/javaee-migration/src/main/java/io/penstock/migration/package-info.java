/** Converts archives made for {@code javax.servlet} as they are deployed. */
@NullMarked
package io.penstock.migration;

import org.jspecify.annotations.NullMarked;
