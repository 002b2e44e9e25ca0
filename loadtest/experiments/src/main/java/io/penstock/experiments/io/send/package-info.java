/** One large file over loopback: old I/O, {@code transferTo}, {@code map}, and the server. */
@NullMarked
package io.penstock.experiments.io.send;

import org.jspecify.annotations.NullMarked;
