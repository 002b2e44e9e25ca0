/** The command {@code experiments io}, which compares ways of input and output. Each comparison is a subcommand. */
@NullMarked
package io.penstock.experiments.io;

import org.jspecify.annotations.NullMarked;
