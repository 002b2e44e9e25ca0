/** The common content on Penstock, in a process of its own. */
@NullMarked
package io.penstock.peer.penstock;

import org.jspecify.annotations.NullMarked;
