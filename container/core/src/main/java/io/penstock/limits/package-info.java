/** Every bound of the server: name, default, key, status and counter; the configuration records. */
@NullMarked
package io.penstock.limits;

import org.jspecify.annotations.NullMarked;
