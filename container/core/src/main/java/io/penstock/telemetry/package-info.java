/** The counts and measurements of a server, for programs that export them. */
@NullMarked
package io.penstock.telemetry;

import org.jspecify.annotations.NullMarked;
