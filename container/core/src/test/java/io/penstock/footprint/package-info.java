/** Counts the code that runs for one request: the files, the switches between files, the taken locks and the created objects. */
package io.penstock.footprint;
