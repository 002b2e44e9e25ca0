/** A series of measurements as one block of floats, in both directions. */
package io.penstock.sample.sensor;
