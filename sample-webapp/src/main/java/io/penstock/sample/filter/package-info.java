/** What happens to each request on its way to a servlet and back. */
package io.penstock.sample.filter;
