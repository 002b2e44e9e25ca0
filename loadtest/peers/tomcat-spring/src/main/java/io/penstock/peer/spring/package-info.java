/** The program that runs Tomcat with Spring Session. */
@NullMarked
package io.penstock.peer.spring;

import org.jspecify.annotations.NullMarked;
