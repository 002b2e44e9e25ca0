/** The common content on the last Tomcat with a thread for each connection, in a process of its own. */
@NullMarked
package io.penstock.peer.tomcat7;

import org.jspecify.annotations.NullMarked;
