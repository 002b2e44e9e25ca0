/** Events for Java Flight Recorder, where the JDK has it and a recording runs. */
@NullMarked
package io.penstock.flight;

import org.jspecify.annotations.NullMarked;
