/** Tests of the Arquillian adapter. Several of these tests use Arquillian, as users of the adapter do. */
@NullMarked
package io.penstock.arquillian;

import org.jspecify.annotations.NullMarked;
