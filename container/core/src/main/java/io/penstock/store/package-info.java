/** Stores for sessions between requests: the interfaces that a program or an optional part of the container implements. */
@NullMarked
package io.penstock.store;

import org.jspecify.annotations.NullMarked;
