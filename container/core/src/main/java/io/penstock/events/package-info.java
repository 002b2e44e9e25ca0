/** The one listener interface through which the server tells what happens on its connections, and what it tells of requests. */
@NullMarked
package io.penstock.events;

import org.jspecify.annotations.NullMarked;
