/** The part of the command line that all commands share: options for durations, sizes and result files. */
@NullMarked
package io.penstock.loadtest.cli;

import org.jspecify.annotations.NullMarked;
