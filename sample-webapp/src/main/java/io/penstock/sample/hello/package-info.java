/** Shows a greeting: request parameters, init parameters, and the client's language. */
package io.penstock.sample.hello;
