/** The part of the command line that all commands share: durations, sizes, files for results. */
@NullMarked
package io.penstock.loadtest.cli;

import org.jspecify.annotations.NullMarked;
