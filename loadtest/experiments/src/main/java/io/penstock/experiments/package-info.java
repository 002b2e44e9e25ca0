/**
 * The experiments of the articles on which the design of the server is based. They compare ways of input and output, and measure the
 * advantage of a multiplexing client.
 */
@NullMarked
package io.penstock.experiments;

import org.jspecify.annotations.NullMarked;
