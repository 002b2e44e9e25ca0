/**
 * The configuration of the server. {@link Key} defines every limit with its name, type, bounds, default, response status and counter. Each
 * concern, such as TLS or sessions, has its own record.
 */
@NullMarked
package io.penstock.limits;

import org.jspecify.annotations.NullMarked;
