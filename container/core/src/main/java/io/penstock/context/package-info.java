/** One web application as its servlets see it: ServletContext, registrations, listeners, resources. Dispatching is in {@code dispatch}. */
@NullMarked
package io.penstock.context;

import org.jspecify.annotations.NullMarked;
