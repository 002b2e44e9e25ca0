/** Where sessions are kept between requests: what a program, or an optional part of the container, implements to bring a store. */
@NullMarked
package io.penstock.store;

import org.jspecify.annotations.NullMarked;
