/** The part that all peers' processes share: the command line, and the conversation with the harness. */
@NullMarked
package io.penstock.peer;

import org.jspecify.annotations.NullMarked;
