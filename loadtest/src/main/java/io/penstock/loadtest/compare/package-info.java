/** Compares servers: the same content, the same load, one run each in turns. One command a scenario. */
@NullMarked
package io.penstock.loadtest.compare;

import org.jspecify.annotations.NullMarked;
