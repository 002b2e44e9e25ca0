/**
 * Names for applications: the objects that {@code java:} look-ups find, data sources with their pools, and the builder of the
 * JVM that {@code InitialContext} uses.
 */
@NullMarked
package io.penstock.naming;

import org.jspecify.annotations.NullMarked;
