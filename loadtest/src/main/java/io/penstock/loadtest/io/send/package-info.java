/** One large file over loopback: old I/O, {@code transferTo}, {@code map}, and the server. */
@NullMarked
package io.penstock.loadtest.io.send;

import org.jspecify.annotations.NullMarked;
