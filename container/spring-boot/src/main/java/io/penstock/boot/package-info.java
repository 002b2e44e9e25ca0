/** Penstock as a web server of Spring Boot. */
@NullMarked
package io.penstock.boot;

import org.jspecify.annotations.NullMarked;
