/** Compares sending a head and a body in one packet and in two packets. */
@NullMarked
package io.penstock.experiments.io.packets;

import org.jspecify.annotations.NullMarked;
