/**
 * The parts that all protocols share: requests and responses with their flow control, and the interfaces between a server and its
 * protocols.
 */
@NullMarked
package io.penstock.exchange;

import org.jspecify.annotations.NullMarked;
