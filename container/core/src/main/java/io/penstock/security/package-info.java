/** Who may ask an application for what: constraints, the ways to log in, and the users (Servlet 6.1, chapter 13). */
@NullMarked
package io.penstock.security;

import org.jspecify.annotations.NullMarked;
