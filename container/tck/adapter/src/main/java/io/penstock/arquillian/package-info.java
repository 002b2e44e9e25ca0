/** The container as one that Arquillian starts, deploys on and stops. */
@NullMarked
package io.penstock.arquillian;

import org.jspecify.annotations.NullMarked;
