/** Head and body in one packet, and in two. */
@NullMarked
package io.penstock.experiments.io.packets;

import org.jspecify.annotations.NullMarked;
