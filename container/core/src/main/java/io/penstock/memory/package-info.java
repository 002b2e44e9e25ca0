/** Keeps the server's threads alive when memory runs out, and detects a shortage that lasts. */
@NullMarked
package io.penstock.memory;

import org.jspecify.annotations.NullMarked;
