/**
 * The experiments of the articles from which the server grew: ways of input and output, and the gain of a client by multiplexing.
 */
@NullMarked
package io.penstock.experiments;

import org.jspecify.annotations.NullMarked;
