/**
 * TLS for the connections of a listener. The engines run on the reactors, and their long tasks run on separate threads. This package does
 * not depend on the protocols over TLS, such as HTTP.
 */
@NullMarked
package io.penstock.tls;

import org.jspecify.annotations.NullMarked;
