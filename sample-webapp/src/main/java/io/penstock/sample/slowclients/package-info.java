/** Slow clients of this application, which the server starts against itself. */
package io.penstock.sample.slowclients;
