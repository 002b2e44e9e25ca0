/**
 * The command {@code loadtest starve}. It finds the number of slow clients at which a server stops answering other clients. The bytes and
 * the time of the search are limited.
 */
@NullMarked
package io.penstock.loadtest.starve;

import org.jspecify.annotations.NullMarked;
