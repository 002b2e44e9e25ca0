/** A response that is written in pieces. Each piece is written when the client can accept more bytes. */
package io.penstock.sample.async;
