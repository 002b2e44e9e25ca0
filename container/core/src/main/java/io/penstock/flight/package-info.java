/** Events for Java Flight Recorder, if the JDK has it and a recording runs. */
@NullMarked
package io.penstock.flight;

import org.jspecify.annotations.NullMarked;
