/** The listener interface for events of the server's connections and requests, with its data. */
@NullMarked
package io.penstock.events;

import org.jspecify.annotations.NullMarked;
