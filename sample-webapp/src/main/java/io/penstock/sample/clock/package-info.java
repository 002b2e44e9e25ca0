/** A clock in every browser that shows the page: server-sent events on an asynchronous request. */
package io.penstock.sample.clock;
