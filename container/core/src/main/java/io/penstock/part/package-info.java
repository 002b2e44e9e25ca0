/** The interfaces that an optional part of the container implements. Such a part is a separate library. */
@NullMarked
package io.penstock.part;

import org.jspecify.annotations.NullMarked;
