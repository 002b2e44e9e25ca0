/** How many nodes and stores a number of users needs: a simulation of users, and the costs that were measured. */
@NullMarked
package io.penstock.loadtest.capacity;

import org.jspecify.annotations.NullMarked;
