/** A long text sent little by little, without a thread waiting in between. */
package io.penstock.sample.slowtext;
