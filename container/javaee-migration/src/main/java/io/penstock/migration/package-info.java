/** Converts archives for {@code javax.servlet} to {@code jakarta.servlet} at their deployment. */
@NullMarked
package io.penstock.migration;

import org.jspecify.annotations.NullMarked;
