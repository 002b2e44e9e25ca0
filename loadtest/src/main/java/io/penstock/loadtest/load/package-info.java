/**
 * Creates load on a server. In a closed loop, users wait for each response before they send the next request. In an open loop, requests are
 * sent at a constant rate.
 */
@NullMarked
package io.penstock.loadtest.load;

import org.jspecify.annotations.NullMarked;
