/** The interfaces that an optional part of the container implements. An optional part is a separate library. */
@NullMarked
package io.penstock.part;

import org.jspecify.annotations.NullMarked;
