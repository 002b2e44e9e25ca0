/** The program that runs Undertow with the common content. */
@NullMarked
package io.penstock.peer.undertow;

import org.jspecify.annotations.NullMarked;
