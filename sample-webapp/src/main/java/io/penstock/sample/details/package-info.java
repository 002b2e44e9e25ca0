/** What a servlet can learn from a request. */
package io.penstock.sample.details;
