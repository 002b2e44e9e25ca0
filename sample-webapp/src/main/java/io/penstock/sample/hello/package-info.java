/** A greeting: request parameters, init parameters, the client's language. */
package io.penstock.sample.hello;
