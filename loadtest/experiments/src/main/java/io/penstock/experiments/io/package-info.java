/** {@code experiments io}: comparisons of ways of input and output, each a command. */
@NullMarked
package io.penstock.experiments.io;

import org.jspecify.annotations.NullMarked;
