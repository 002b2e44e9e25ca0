/** Compares servers: the same content, the same load, one run each in turns. Each scenario is a command. */
@NullMarked
package io.penstock.loadtest.compare;

import org.jspecify.annotations.NullMarked;
