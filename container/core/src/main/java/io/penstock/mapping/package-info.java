/** URL patterns of servlets and filters, and context paths; immutable tables over decoded paths (Servlet 6.1, chapter 12). */
@NullMarked
package io.penstock.mapping;

import org.jspecify.annotations.NullMarked;
