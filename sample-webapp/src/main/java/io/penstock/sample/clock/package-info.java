/** A clock that ticks in every browser that looks at it: server-sent events on an asynchronous request. */
package io.penstock.sample.clock;
