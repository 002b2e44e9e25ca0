/** The API for programs that embed the server. */
@NullMarked
package io.penstock;

import org.jspecify.annotations.NullMarked;
