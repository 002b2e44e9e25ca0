/** Failures on purpose, and the error page. */
package io.penstock.sample.errors;
