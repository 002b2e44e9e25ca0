/**
 * Interfaces for stores that keep sessions between requests. A program or an optional part of the container implements these interfaces.
 */
@NullMarked
package io.penstock.store;

import org.jspecify.annotations.NullMarked;
