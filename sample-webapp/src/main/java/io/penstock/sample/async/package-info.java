/** A response that is written whenever the client can take more. */
package io.penstock.sample.async;
