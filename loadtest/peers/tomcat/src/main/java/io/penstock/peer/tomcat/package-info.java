/** The common content on today's Tomcat, in a process of its own. */
@NullMarked
package io.penstock.peer.tomcat;

import org.jspecify.annotations.NullMarked;
