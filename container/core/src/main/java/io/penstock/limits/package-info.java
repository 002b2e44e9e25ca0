/** The configuration, and every limit of the server with its name, default, key, status and counter. Each concern has a record. */
@NullMarked
package io.penstock.limits;

import org.jspecify.annotations.NullMarked;
