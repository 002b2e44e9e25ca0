/**
 * TLS as a link over a link: engines on the reactors, their long tasks on threads of their own. It does not know the protocols that run
 * over it.
 */
@NullMarked
package io.penstock.tls;

import org.jspecify.annotations.NullMarked;
