/**
 * The log of {@code penstock.jar}: a provider for slf4j. It also gets the messages of {@code java.util.logging}. A record is one line of
 * JSON, or a line of text followed by the lines of a stack trace.
 */
@NullMarked
package io.penstock.log;

import org.jspecify.annotations.NullMarked;
