/** Provides the figures of an embedded server as Micrometer meters. */
@NullMarked
package io.penstock.micrometer;

import org.jspecify.annotations.NullMarked;
