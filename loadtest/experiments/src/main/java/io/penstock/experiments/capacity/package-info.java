/**
 * Computes the number of nodes and stores for a number of users. The users are simulated; the costs of their requests and sessions are
 * measurements.
 */
@NullMarked
package io.penstock.experiments.capacity;

import org.jspecify.annotations.NullMarked;
