/** Tests of a release that {@code release/stage} has made. */
package io.penstock.release;
