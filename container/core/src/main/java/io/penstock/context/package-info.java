/** One web application as its servlets see it: ServletContext, registrations, listeners, resources. Knows no dispatching. */
@NullMarked
package io.penstock.context;

import org.jspecify.annotations.NullMarked;
