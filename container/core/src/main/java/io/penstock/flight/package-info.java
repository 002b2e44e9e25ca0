/** Events for Java Flight Recorder. The server creates these events only if the JDK has a recorder and a recording runs. */
@NullMarked
package io.penstock.flight;

import org.jspecify.annotations.NullMarked;
