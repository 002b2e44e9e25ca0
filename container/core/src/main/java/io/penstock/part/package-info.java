/** The interfaces that an optional part of the container, in a library of its own, implements. */
@NullMarked
package io.penstock.part;

import org.jspecify.annotations.NullMarked;
