/** The program that runs Jetty with the common content. */
@NullMarked
package io.penstock.peer.jetty;

import org.jspecify.annotations.NullMarked;
