/** The figures of an embedded server as meters of Micrometer. */
@NullMarked
package io.penstock.micrometer;

import org.jspecify.annotations.NullMarked;
