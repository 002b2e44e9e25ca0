/** The servlets for the comparison of servers. They are the same for all servers. */
@NullMarked
package io.penstock.peer.content;

import org.jspecify.annotations.NullMarked;
