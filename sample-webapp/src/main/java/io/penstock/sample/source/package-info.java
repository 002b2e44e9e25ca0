/** The sources of this application, to be read in the browser. */
package io.penstock.sample.source;
