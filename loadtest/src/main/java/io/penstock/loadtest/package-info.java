/** Measures a server from the side of its clients. */
@NullMarked
package io.penstock.loadtest;

import org.jspecify.annotations.NullMarked;
