/** Load on a server: a closed loop of users that wait for their answers, and an open loop of requests that are due. */
@NullMarked
package io.penstock.loadtest.load;

import org.jspecify.annotations.NullMarked;
