/** The program that runs Penstock with the common content. */
@NullMarked
package io.penstock.peer.penstock;

import org.jspecify.annotations.NullMarked;
