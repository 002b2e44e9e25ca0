/** Tests of the container with Arquillian, like the tests of a user. */
@NullMarked
package io.penstock.arquillian;

import org.jspecify.annotations.NullMarked;
