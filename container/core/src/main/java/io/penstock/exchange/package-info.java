/**
 * One request and its response with their flow control, whatever protocol carried them; and the interfaces between a server and its
 * protocols.
 */
@NullMarked
package io.penstock.exchange;

import org.jspecify.annotations.NullMarked;
