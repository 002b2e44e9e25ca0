/** Many HTTP/1.1 connections on one thread: each is told what happens on it and never waits. */
@NullMarked
package io.penstock.loadtest.client;

import org.jspecify.annotations.NullMarked;
