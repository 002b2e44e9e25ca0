/**
 * The experiments of the articles from which the server grew: ways of input and output, and the advantage of a multiplexing
 * client.
 */
@NullMarked
package io.penstock.experiments;

import org.jspecify.annotations.NullMarked;
