/** What a server counts and measures, told to whoever carries it elsewhere. */
@NullMarked
package io.penstock.telemetry;

import org.jspecify.annotations.NullMarked;
