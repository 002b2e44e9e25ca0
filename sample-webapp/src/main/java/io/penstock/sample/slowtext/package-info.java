/** A long text sent in small pieces. No thread waits between them. */
package io.penstock.sample.slowtext;
