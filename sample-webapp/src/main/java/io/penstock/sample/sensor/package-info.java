/** Sends and receives a series of measurements as one block of floats. */
package io.penstock.sample.sensor;
