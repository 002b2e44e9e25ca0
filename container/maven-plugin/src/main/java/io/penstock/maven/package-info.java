/** Goals of Maven: a web application is served from its sources, and around integration tests. */
@NullMarked
package io.penstock.maven;

import org.jspecify.annotations.NullMarked;
