/** The experiments of the articles that the server grew from: ways of input and output, and what multiplexing gains a client. */
@NullMarked
package io.penstock.experiments;

import org.jspecify.annotations.NullMarked;
