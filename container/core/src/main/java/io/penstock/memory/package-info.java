/** Keeps the threads of the server alive when memory runs out, and detects a shortage of memory that lasts. */
@NullMarked
package io.penstock.memory;

import org.jspecify.annotations.NullMarked;
