/** The program that runs Tomcat 7, with one thread for each connection, with the common content. */
@NullMarked
package io.penstock.peer.tomcat7;

import org.jspecify.annotations.NullMarked;
