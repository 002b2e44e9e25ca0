/**
 * Very many clients at a time, each of whom says something that nobody else says, and none of whom may ever hear what another has said:
 * the application ({@link io.penstock.soak.SoakSite}), the clients ({@link io.penstock.soak.Crowd}), and what must be left of it all
 * ({@link io.penstock.soak.Footprint}): nothing.
 */
@NullMarked
package io.penstock.soak;

import org.jspecify.annotations.NullMarked;
