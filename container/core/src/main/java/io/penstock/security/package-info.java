/** Access control: security constraints, login mechanisms and users (Servlet 6.1, chapter 13). */
@NullMarked
package io.penstock.security;

import org.jspecify.annotations.NullMarked;
