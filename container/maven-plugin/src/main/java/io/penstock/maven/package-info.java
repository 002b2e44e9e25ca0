/** Maven goals that serve a web application from its sources, or serve its archive for integration tests. */
@NullMarked
package io.penstock.maven;

import org.jspecify.annotations.NullMarked;
