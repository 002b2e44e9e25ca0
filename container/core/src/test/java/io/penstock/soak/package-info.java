/**
 * A soak test with very many clients. Each request has a unique token, and no client may ever receive the token of another client. The
 * test consists of the application ({@link io.penstock.soak.SoakSite}), the clients ({@link io.penstock.soak.Crowd}), and a final check
 * ({@link io.penstock.soak.Footprint}). This check finds threads and file descriptors that were not released.
 */
@NullMarked
package io.penstock.soak;

import org.jspecify.annotations.NullMarked;
