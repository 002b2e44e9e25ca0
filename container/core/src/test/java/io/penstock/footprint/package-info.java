/** Counts the entered files, the calls between files, the taken locks and the created objects for one request. */
package io.penstock.footprint;
