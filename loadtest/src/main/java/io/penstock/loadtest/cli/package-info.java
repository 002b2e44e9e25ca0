/** What the command lines of all commands have in common: durations, sizes, files for results. */
@NullMarked
package io.penstock.loadtest.cli;

import org.jspecify.annotations.NullMarked;
