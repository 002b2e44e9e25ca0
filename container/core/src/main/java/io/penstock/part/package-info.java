/** What an optional part of the container, in a library of its own, has to implement. */
@NullMarked
package io.penstock.part;

import org.jspecify.annotations.NullMarked;
