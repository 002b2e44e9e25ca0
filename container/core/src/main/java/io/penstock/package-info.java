/** The server as an application that embeds it sees it. */
@NullMarked
package io.penstock;

import org.jspecify.annotations.NullMarked;
