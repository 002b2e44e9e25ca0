/** The Spring Boot application with which servers are compared. Spring Boot configures each server. */
@NullMarked
package io.penstock.peer.boot;

import org.jspecify.annotations.NullMarked;
