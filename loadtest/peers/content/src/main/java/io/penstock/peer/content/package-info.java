/** The servlets for the comparison of servers, the same for all. */
@NullMarked
package io.penstock.peer.content;

import org.jspecify.annotations.NullMarked;
