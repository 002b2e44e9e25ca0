/** Counts what one request costs in code: the files it enters, the switches between them, the locks it takes and the objects it makes. */
package io.penstock.footprint;
