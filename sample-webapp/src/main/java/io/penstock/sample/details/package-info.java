/** Shows the information about a request that a servlet can read. */
package io.penstock.sample.details;
