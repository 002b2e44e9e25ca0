/** The application of Spring Boot that servers are compared by, each as Boot sets it up. */
@NullMarked
package io.penstock.peer.boot;

import org.jspecify.annotations.NullMarked;
