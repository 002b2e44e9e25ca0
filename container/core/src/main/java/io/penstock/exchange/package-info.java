/** One request and its response with their flow control, whatever protocol carried them; and what a server and a protocol know of each other. */
@NullMarked
package io.penstock.exchange;

import org.jspecify.annotations.NullMarked;
