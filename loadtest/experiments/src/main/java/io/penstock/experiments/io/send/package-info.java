/** Compares ways of sending one large file over loopback: streams, {@code transferTo}, {@code map}, and a server. */
@NullMarked
package io.penstock.experiments.io.send;

import org.jspecify.annotations.NullMarked;
