/** The common content on Undertow, in a process of its own. */
@NullMarked
package io.penstock.peer.undertow;

import org.jspecify.annotations.NullMarked;
