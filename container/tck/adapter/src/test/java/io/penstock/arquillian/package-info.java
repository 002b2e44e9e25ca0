/** The container under Arquillian, as a user's tests would have it. */
@NullMarked
package io.penstock.arquillian;

import org.jspecify.annotations.NullMarked;
