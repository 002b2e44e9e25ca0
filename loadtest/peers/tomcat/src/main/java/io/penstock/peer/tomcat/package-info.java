/** The program that runs the current Tomcat with the common content. */
@NullMarked
package io.penstock.peer.tomcat;

import org.jspecify.annotations.NullMarked;
