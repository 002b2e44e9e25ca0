/** Computes the number of nodes and stores for a number of users: simulates the users, with measured costs. */
@NullMarked
package io.penstock.loadtest.capacity;

import org.jspecify.annotations.NullMarked;
