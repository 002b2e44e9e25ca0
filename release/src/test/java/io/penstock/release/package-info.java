/** Tests a release that {@code release/stage} has created. */
package io.penstock.release;
