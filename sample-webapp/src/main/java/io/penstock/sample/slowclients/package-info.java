/** Starts slow clients of this application. The clients run inside the server. */
package io.penstock.sample.slowclients;
