/** The one listener interface through which the server tells what happens on its connections. */
@NullMarked
package io.penstock.events;

import org.jspecify.annotations.NullMarked;
