/** Session attributes as JSON, an optional part of the container. */
@NullMarked
package io.penstock.session.json;

import org.jspecify.annotations.NullMarked;
