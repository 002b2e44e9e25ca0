/** Many slow clients that hold connections to a server, in every way in which a client can be slow. */
@NullMarked
package io.penstock.loadtest.crowd;

import org.jspecify.annotations.NullMarked;
