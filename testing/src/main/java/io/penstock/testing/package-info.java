/** Code that the tests of several modules share. */
@NullMarked
package io.penstock.testing;

import org.jspecify.annotations.NullMarked;
