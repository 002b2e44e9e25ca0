/** {@code loadtest io}: comparisons of ways of input and output, each a command. */
@NullMarked
package io.penstock.loadtest.io;

import org.jspecify.annotations.NullMarked;
