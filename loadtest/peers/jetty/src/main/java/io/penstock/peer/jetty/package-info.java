/** The common content on Jetty, in a process of its own. */
@NullMarked
package io.penstock.peer.jetty;

import org.jspecify.annotations.NullMarked;
