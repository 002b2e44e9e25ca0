/** Starts servers for tests with JUnit 5. */
@NullMarked
package io.penstock.junit;

import org.jspecify.annotations.NullMarked;
