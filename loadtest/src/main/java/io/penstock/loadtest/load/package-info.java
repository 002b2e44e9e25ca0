/** Load on a server: a closed loop of users that wait for their answers, and an open loop of requests at a constant rate. */
@NullMarked
package io.penstock.loadtest.load;

import org.jspecify.annotations.NullMarked;
