/**
 * A web application for any Servlet 6.1 container. Each subpackage is one page, and shows one part of the Servlet API. This
 * package creates the objects that they share.
 */
package io.penstock.sample;
