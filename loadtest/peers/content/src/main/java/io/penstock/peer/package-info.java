/**
 * The part that the programs of all compared servers share: the command-line options, and the commands that the load test sends to the
 * process.
 */
@NullMarked
package io.penstock.peer;

import org.jspecify.annotations.NullMarked;
