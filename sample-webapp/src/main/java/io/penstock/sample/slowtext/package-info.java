/** Sends a long text in small pieces. No thread waits between two pieces. */
package io.penstock.sample.slowtext;
