/**
 * TLS as a link over a link: engines on the reactors, and separate threads for the engines' long tasks. The package does not depend on
 * the protocols over TLS.
 */
@NullMarked
package io.penstock.tls;

import org.jspecify.annotations.NullMarked;
