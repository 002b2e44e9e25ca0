/** The servlets that the servers are compared by, the same for all. */
@NullMarked
package io.penstock.peer.content;

import org.jspecify.annotations.NullMarked;
