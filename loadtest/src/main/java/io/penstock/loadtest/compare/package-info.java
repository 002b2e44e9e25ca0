/** Compares servers. All servers serve the same content under the same load, and are measured in turns. Each scenario is a command. */
@NullMarked
package io.penstock.loadtest.compare;

import org.jspecify.annotations.NullMarked;
