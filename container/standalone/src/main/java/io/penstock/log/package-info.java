/**
 * The log of {@code penstock.jar}: a provider for slf4j, to which {@code java.util.logging} is led, too. A record is a line, with the lines
 * of a stack trace behind it, or one line of JSON.
 */
@NullMarked
package io.penstock.log;

import org.jspecify.annotations.NullMarked;
