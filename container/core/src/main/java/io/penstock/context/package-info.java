/**
 * One web application as its servlets see it: {@code ServletContext}, registrations, listeners and resources. The package {@code dispatch}
 * has the request dispatchers.
 */
@NullMarked
package io.penstock.context;

import org.jspecify.annotations.NullMarked;
