/**
 * URL patterns of servlets and filters, and context paths (Servlet 6.1, chapter 12). The tables are immutable. Lookups need decoded paths.
 */
@NullMarked
package io.penstock.mapping;

import org.jspecify.annotations.NullMarked;
