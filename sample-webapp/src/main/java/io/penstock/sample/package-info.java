/**
 * A web application for any Servlet 6.1 container. Each package below is one page of it, and shows one part of the
 * Servlet API; this one sets up what they share.
 */
package io.penstock.sample;
