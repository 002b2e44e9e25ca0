/** One request and its response with their flow control, in any protocol; and the interfaces between a server and its protocols. */
@NullMarked
package io.penstock.exchange;

import org.jspecify.annotations.NullMarked;
