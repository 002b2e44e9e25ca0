/** The listener interface for events of the server's connections and requests, and the classes with the data of these events. */
@NullMarked
package io.penstock.events;

import org.jspecify.annotations.NullMarked;
