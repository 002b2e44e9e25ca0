/** The command {@code loadtest slow}. It tests whether a server still answers normal requests while many slow clients are connected. */
@NullMarked
package io.penstock.loadtest.slow;

import org.jspecify.annotations.NullMarked;
