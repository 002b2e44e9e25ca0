/** The servlet that the servers are compared by, and one server that runs it. */
@NullMarked
package io.penstock.loadtest.peers;

import org.jspecify.annotations.NullMarked;
