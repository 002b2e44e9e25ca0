/** Every limit of the server: name, default, key, status and counter; the configuration, and its records by concern. */
@NullMarked
package io.penstock.limits;

import org.jspecify.annotations.NullMarked;
