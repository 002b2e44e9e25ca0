/** The servers that are compared. Each runs in a process of its own, reports its figures on request, and is ended. */
@NullMarked
package io.penstock.loadtest.peers;

import org.jspecify.annotations.NullMarked;
