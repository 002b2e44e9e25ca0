/**
 * A web application for any Servlet 6.1 container. Most subpackages contain one page, which shows a part of the Servlet
 * API. This package creates the objects that all pages share.
 */
package io.penstock.sample;
