/** Support for Penstock as the web server of Spring Boot applications. */
@NullMarked
package io.penstock.boot;

import org.jspecify.annotations.NullMarked;
