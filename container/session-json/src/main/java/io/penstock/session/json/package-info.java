/** Stores session attributes as JSON. This is an optional module of the container. */
@NullMarked
package io.penstock.session.json;

import org.jspecify.annotations.NullMarked;
