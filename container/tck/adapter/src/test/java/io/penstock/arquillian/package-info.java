/** Tests of the Arquillian adapter. Several of these tests run with Arquillian, like the tests of a user. */
@NullMarked
package io.penstock.arquillian;

import org.jspecify.annotations.NullMarked;
