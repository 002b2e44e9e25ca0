/** Shows a clock in each browser: server-sent events on an asynchronous request. */
package io.penstock.sample.clock;
