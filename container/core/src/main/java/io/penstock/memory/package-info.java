/**
 * Keeps the threads of the server alive when memory runs out, and detects a shortage of memory that lasts. Accounts for bytes and room that
 * many clients share.
 */
@NullMarked
package io.penstock.memory;

import org.jspecify.annotations.NullMarked;
