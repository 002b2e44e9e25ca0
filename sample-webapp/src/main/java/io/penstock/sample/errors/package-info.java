/** Failures on purpose, and the page that tells about them. */
package io.penstock.sample.errors;
