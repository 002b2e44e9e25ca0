/**
 * A soak test with very many clients. Each request has a unique token, and no client may ever get the token of another client. The parts
 * are the application ({@link io.penstock.soak.SoakSite}), the clients ({@link io.penstock.soak.Crowd}), and a check that no threads and
 * descriptors remain afterwards ({@link io.penstock.soak.Footprint}).
 */
@NullMarked
package io.penstock.soak;

import org.jspecify.annotations.NullMarked;
