/**
 * The experiments of the articles on which the design of the server is based. They compare ways of input and output, and measure the
 * advantage of a multiplexing client. One command simulates the number of nodes for a number of users.
 */
@NullMarked
package io.penstock.experiments;

import org.jspecify.annotations.NullMarked;
