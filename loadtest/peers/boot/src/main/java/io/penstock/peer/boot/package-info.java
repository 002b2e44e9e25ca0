/** The application of Spring Boot with which servers are compared. Boot configures each server. */
@NullMarked
package io.penstock.peer.boot;

import org.jspecify.annotations.NullMarked;
