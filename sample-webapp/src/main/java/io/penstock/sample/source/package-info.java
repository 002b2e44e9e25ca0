/** Shows the sources of this application in the browser. */
package io.penstock.sample.source;
