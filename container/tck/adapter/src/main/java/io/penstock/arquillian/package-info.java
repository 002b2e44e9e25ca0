/** The adapter for Arquillian. Arquillian starts and stops the container, and deploys archives on it. */
@NullMarked
package io.penstock.arquillian;

import org.jspecify.annotations.NullMarked;
