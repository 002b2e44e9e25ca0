/** Head and body in one packet, and in two. */
@NullMarked
package io.penstock.loadtest.io.packets;

import org.jspecify.annotations.NullMarked;
